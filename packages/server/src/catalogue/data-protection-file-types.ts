import { fileTypes, type FileType } from "../domain/data-protection/kinds.ts";
import { addedAt, predefinedId } from "./data-protection-origin.ts";
import type { SharedEntry } from "./entries.ts";

/** What can be read from a file of the type: only its kind, also its text, or also its text and its label. */
type Reads = "kind" | "text" | "text and label";

type Row = readonly [name: string, reads: Reads, description: string];

const everywhere = ["win", "mac"] as const;

/** The file types by category. */
const types: Readonly<Record<string, readonly Row[]>> = {
  documents: [
    ["PDF", "text and label", "Portable documents"],
    ["Microsoft Word", "text and label", "Documents of Word, in the formats with and without XML"],
    ["OpenDocument Text", "text", "Documents of LibreOffice and OpenOffice"],
    ["Rich Text", "text", "Formatted text in RTF"],
    ["Apple Pages", "kind", "Documents of Pages"],
    ["Markdown", "text", "Text with light markup"],
    ["Plain Text", "text", "Text without a format"],
    ["HTML", "text", "Pages of the web"],
    ["EPUB", "text", "Electronic books"],
    ["Microsoft OneNote", "kind", "Sections of notebooks"],
  ],
  tables: [
    [
      "Microsoft Excel",
      "text and label",
      "Workbooks of Excel, in the formats with and without XML",
    ],
    ["CSV", "text", "Tables as text"],
    ["OpenDocument Spreadsheet", "text", "Workbooks of LibreOffice and OpenOffice"],
    ["Apple Numbers", "kind", "Workbooks of Numbers"],
    ["Apache Parquet", "kind", "Tables stored by column"],
  ],
  presentations: [
    ["Microsoft PowerPoint", "text and label", "Slides of PowerPoint, with and without XML"],
    ["OpenDocument Presentation", "text", "Slides of LibreOffice and OpenOffice"],
    ["Apple Keynote", "kind", "Slides of Keynote"],
  ],
  drawings: [
    ["Microsoft Visio", "text and label", "Diagrams of Visio"],
    ["AutoCAD", "kind", "Drawings in DWG and DXF"],
    ["SolidWorks", "kind", "Parts, assemblies and drawings of SolidWorks"],
    ["STEP", "text", "Models of products for exchange"],
    ["Adobe Photoshop", "kind", "Layered images"],
    ["Adobe Illustrator", "kind", "Vector drawings"],
    ["SVG", "text", "Vector drawings as text"],
  ],
  images: [
    ["JPEG", "kind", "Photographs"],
    ["PNG", "kind", "Images without loss"],
    ["TIFF", "kind", "Scanned pages"],
    ["HEIC", "kind", "Photographs of telephones"],
  ],
  archives: [
    ["ZIP", "text", "Archives in ZIP; what is in them is looked into"],
    ["7-Zip", "kind", "Archives in 7z"],
    ["RAR", "kind", "Archives in RAR"],
    ["TAR", "text", "Archives in TAR, compressed or not; what is in them is looked into"],
    ["GZIP", "text", "Compressed files"],
    ["Encrypted Archive", "kind", "Archives that ask for a password"],
  ],
  packages: [
    ["RPM", "kind", "Packages of Red Hat and its relatives"],
    ["Debian Package", "kind", "Packages of Debian and its relatives"],
    ["Windows Installer", "kind", "Packages in MSI"],
    ["Apple Disk Image", "kind", "Images of disks in DMG"],
    ["Java Archive", "kind", "Libraries and programs of Java"],
  ],
  mail: [
    ["Outlook Message", "text and label", "Single messages of Outlook"],
    ["Outlook Data File", "kind", "Mailboxes of Outlook in PST and OST"],
    ["Internet Message", "text", "Single messages as they travel"],
  ],
  data: [
    ["JSON", "text", "Records as text"],
    ["XML", "text", "Trees of records as text"],
    ["YAML", "text", "Configurations as text"],
    ["SQLite Database", "kind", "Databases in one file"],
    ["Microsoft Access", "kind", "Databases of Access"],
    ["SQL Script", "text", "Statements for databases, and dumps of them"],
  ],
  source_code: [
    ["C and C++", "text", "Source code in C and C++"],
    ["C#", "text", "Source code in C#"],
    ["Go", "text", "Source code in Go"],
    ["Java", "text", "Source code in Java"],
    ["JavaScript and TypeScript", "text", "Source code in JavaScript and TypeScript"],
    ["Python", "text", "Source code in Python"],
    ["Rust", "text", "Source code in Rust"],
    ["Shell Script", "text", "Scripts of shells, PowerShell among them"],
  ],
  keys: [
    ["PEM", "text", "Certificates and keys as text"],
    ["PKCS #12", "kind", "Certificates with their keys"],
    ["KeePass Database", "kind", "Databases of passwords"],
  ],
};

/** File types that are recognised by content. */
export const predefinedFileTypes: SharedEntry<FileType> = {
  resource: fileTypes.resource,
  records: () =>
    Object.entries(types).flatMap(([category, rows]) =>
      rows.map(([name, reads, description]): FileType => ({
        id: predefinedId("file-type", name),
        name,
        description,
        category_id: category,
        supported_platforms: [...everywhere],
        supports_content_inspection: reads !== "kind",
        supports_mip_extraction: reads === "text and label",
        ...addedAt,
      })),
    ),
};
