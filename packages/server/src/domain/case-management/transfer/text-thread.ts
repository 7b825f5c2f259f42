import { answerCalls } from "../../../threads/answer-calls.ts";
import { answerText } from "./file-text.ts";

answerCalls(answerText);
