import type { Problem } from "../../foundation/errors.ts";
import type { Indicator } from "./indicators.ts";
import {
  actionsOf,
  isMobile,
  needsSeverity,
  platformsOf,
  severities,
  type Action,
  type MobileAction,
} from "./vocabulary.ts";

/** The members that the rules check. An action is undefined if none was ever selected. */
export interface Draft extends Pick<
  Indicator,
  "type" | "platforms" | "severity" | "applied_globally" | "host_groups"
> {
  readonly action: Action | undefined;
  readonly mobile_action: MobileAction | undefined;
}

/** The actions that take effect; `no_action` if no platform of the indicator uses one. */
export function effectiveActions(draft: Pick<Draft, "platforms" | "action" | "mobile_action">): {
  readonly action: Action;
  readonly mobile_action: MobileAction;
} {
  const { platforms, action, mobile_action } = draft;
  return {
    action: platforms.some((platform) => !isMobile(platform))
      ? (action ?? "no_action")
      : "no_action",
    mobile_action: platforms.some(isMobile) ? (mobile_action ?? "no_action") : "no_action",
  };
}

/** Problems between the members of an indicator. `at`: the place of the item in the request. */
export function ruleProblems(draft: Draft, at: string): readonly Problem[] {
  return [
    ...platformProblems(draft, at),
    ...actionProblems(draft, at),
    ...severityProblems(draft, at),
    ...reachProblems(draft, at),
  ];
}

function platformProblems({ type, platforms }: Draft, at: string): readonly Problem[] {
  const possible = platformsOf(type);
  return platforms.flatMap((platform, index) =>
    possible.includes(platform)
      ? []
      : [
          {
            at: `${at}.platforms[${index}]`,
            message: `expected one of ${possible.join(", ")} for type ${type}, got ${platform}`,
          },
        ],
  );
}

function actionProblems(draft: Draft, at: string): readonly Problem[] {
  const { type, platforms, action, mobile_action } = draft;
  const desktop = platforms.filter((platform) => !isMobile(platform));
  const mobile = platforms.filter(isMobile);
  const problems: Problem[] = [];
  if (desktop.length > 0 && action === undefined) {
    problems.push({ at: `${at}.action`, message: `is required with ${desktop.join(", ")}` });
  }
  if (mobile.length > 0 && mobile_action === undefined) {
    problems.push({ at: `${at}.mobile_action`, message: `is required with ${mobile.join(", ")}` });
  }
  const possible = actionsOf(type);
  if (desktop.length > 0 && action !== undefined && !possible.includes(action)) {
    problems.push({
      at: `${at}.action`,
      message: `expected one of ${possible.join(", ")} for type ${type} on ${desktop.join(", ")}, got ${action}`,
    });
  }
  return problems;
}

function severityProblems(draft: Draft, at: string): readonly Problem[] {
  const { action, mobile_action } = effectiveActions(draft);
  if (draft.severity !== "" || !(needsSeverity(action) || needsSeverity(mobile_action))) return [];
  return [
    {
      at: `${at}.severity`,
      message: `cannot be empty for this 'action' and 'mobile_action' combination; expected one of ${severities.join(", ")}`,
    },
  ];
}

function reachProblems({ applied_globally, host_groups }: Draft, at: string): readonly Problem[] {
  if (applied_globally && host_groups.length > 0) {
    return [
      {
        at: `${at}.host_groups`,
        message: "expected no host groups with applied_globally true; send one of the two",
      },
    ];
  }
  if (!applied_globally && host_groups.length === 0) {
    return [
      {
        at: `${at}.host_groups`,
        message: "expected at least one host group, or applied_globally true",
      },
    ];
  }
  return [];
}
