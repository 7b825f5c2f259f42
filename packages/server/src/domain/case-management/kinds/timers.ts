import type { components } from "@security-platform/spec";
import type { GoalType, SlaSnapshot } from "./slas.ts";

type Schemas = components["schemas"];
type Timer = Schemas["CaseSlaTimer"];
type Step = Schemas["SlaEscalationStep"];

/** Internal state of the timers of a case. Never served. */
export interface SlaProgress {
  /** False: the timers are paused by hand. */
  readonly active: boolean;
  /** The steps of each goal, ordered by time. */
  readonly steps: Readonly<Record<GoalType, readonly Step[]>>;
  /** Number of executed steps of each goal. */
  readonly executed: Readonly<Record<GoalType, number>>;
}

/** The members of a case that its timers depend on. */
export interface TimedCase {
  readonly status: Schemas["CaseStatus"];
  readonly sla?: Schemas["CaseSla"];
  readonly sla_progress?: SlaProgress;
}

/** An escalation step that is due. */
export interface DueStep {
  readonly goal: GoalType;
  /** Counted from 1. */
  readonly number: number;
  readonly step: Step;
  readonly timer: Timer;
}

const goals: readonly GoalType[] = ["ack", "resolve"];

const timerOf = { ack: "acknowledgement", resolve: "resolution" } as const;

const unixSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1_000);

/** The SLA of a case, with timers that run from `now`. */
export function startedSla(
  { id: snapshot_id, sla_id, name, goals: slaGoals }: SlaSnapshot,
  now: Date,
): Required<Pick<TimedCase, "sla" | "sla_progress">> {
  const time_started = unixSeconds(now);
  const timers = slaGoals.map(({ id, type, duration_seconds }) => [
    timerOf[type],
    {
      goal_id: id,
      status: "in_progress",
      duration_seconds,
      time_started,
      time_due: time_started + duration_seconds,
      total_pause_time: 0,
    } satisfies Timer,
  ]);
  const stepsOf = (type: GoalType) => slaGoals.find((goal) => goal.type === type)?.steps ?? [];
  return {
    sla: { id: sla_id, name, snapshot_id, timers: Object.fromEntries(timers) },
    sla_progress: {
      active: true,
      steps: { ack: stepsOf("ack"), resolve: stepsOf("resolve") },
      executed: { ack: 0, resolve: 0 },
    },
  };
}

/**
 * Applies the status of the case to its timers: reaching a goal ends a timer, reopening resumes it,
 * and timers that are not active pause. The due time of a timer moves by the time in which it did
 * not run.
 */
export function settledTimers<Case extends TimedCase>(timed: Case, now: Date): Case {
  const active = timed.sla_progress?.active ?? true;
  return withTimers(timed, (timer, goal) =>
    settled(missedBy(timer, unixSeconds(now)), isReached(goal, timed, timer), active, now),
  );
}

/** When a case is reopened, the first goal remains reached and the second is open again. */
const isReached = (goal: GoalType, { status }: TimedCase, { time_completed }: Timer): boolean =>
  goal === "ack" ? status !== "new" || time_completed !== undefined : status === "closed";

function settled(timer: Timer, reached: boolean, active: boolean, now: Date): Timer {
  const at = unixSeconds(now);
  const { time_completed, time_paused } = timer;
  if (reached) {
    if (time_completed !== undefined) return timer;
    const ended = resumed(timer, time_paused, at);
    const status = ended.status === "missed" ? "missed" : "achieved";
    return { ...ended, status, time_completed: at };
  }
  const { time_completed: _completed, ...open } = timer;
  const reopened = resumed(open, time_completed, at);
  if (active) return resumed(reopened, time_paused, at);
  if (time_paused !== undefined) return reopened;
  const status = reopened.status === "missed" ? "missed" : "paused";
  return { ...reopened, status, time_paused: at };
}

/** The timer after a pause that began at `since`; unchanged without a pause. */
function resumed(timer: Timer, since: number | undefined, at: number): Timer {
  if (since === undefined) return timer;
  const { time_paused: _paused, ...running } = timer;
  const pause = at - since;
  return {
    ...running,
    status: timer.status === "missed" ? "missed" : "in_progress",
    time_due: (timer.time_due ?? at) + pause,
    total_pause_time: (timer.total_pause_time ?? 0) + pause,
  };
}

const missedBy = (timer: Timer, at: number): Timer =>
  timer.status === "in_progress" && (timer.time_due ?? at) <= at
    ? { ...timer, status: "missed" }
    : timer;

/** When the next goal is missed or the next step is due, RFC 3339; null if never. */
export function nextInstant(timed: TimedCase): string | null {
  const instants = goals.flatMap((goal) => {
    const timer = timed.sla?.timers[timerOf[goal]];
    if (timer?.time_due === undefined) return [];
    const missed = timer.status === "in_progress" ? [timer.time_due] : [];
    const [next] = openSteps(timed, goal, timer);
    return next === undefined ? missed : [...missed, dueTime(timer, next.step)];
  });
  return instants.length === 0 ? null : new Date(Math.min(...instants) * 1_000).toISOString();
}

const dueTime = ({ time_due = 0 }: Timer, { escalate_after_seconds }: Step): number =>
  time_due + escalate_after_seconds;

/** Steps that are still to be executed, unless the timer stops before. */
function openSteps({ sla_progress }: TimedCase, goal: GoalType, timer: Timer): readonly DueStep[] {
  if (sla_progress === undefined) return [];
  const stop = timer.time_completed ?? timer.time_paused ?? Number.POSITIVE_INFINITY;
  return sla_progress.steps[goal]
    .map((step, index) => ({ goal, number: index + 1, step, timer }))
    .slice(sla_progress.executed[goal])
    .filter(({ step }) => dueTime(timer, step) <= stop);
}

/** The case at a given time: with missed goals, and the steps that are due. */
export function advancedTimers<Case extends TimedCase>(
  timed: Case,
  instant: Date,
): { readonly after: Case; readonly steps: readonly DueStep[] } {
  const at = unixSeconds(instant);
  const missed = withTimers(timed, (timer) => missedBy(timer, at));
  const { sla_progress } = missed;
  if (sla_progress === undefined) return { after: missed, steps: [] };
  const steps = goals.flatMap((goal) => {
    const timer = missed.sla?.timers[timerOf[goal]];
    if (timer === undefined) return [];
    return openSteps(missed, goal, timer).filter(({ step }) => dueTime(timer, step) <= at);
  });
  const executedOf = (goal: GoalType) =>
    sla_progress.executed[goal] + steps.filter((step) => step.goal === goal).length;
  const executed = { ack: executedOf("ack"), resolve: executedOf("resolve") };
  return { after: { ...missed, sla_progress: { ...sla_progress, executed } }, steps };
}

function withTimers<Case extends TimedCase>(
  timed: Case,
  change: (timer: Timer, goal: GoalType) => Timer,
): Case {
  const { sla } = timed;
  if (sla === undefined) return timed;
  const timers = Object.fromEntries(
    goals.flatMap((goal) => {
      const timer = sla.timers[timerOf[goal]];
      return timer === undefined ? [] : [[timerOf[goal], inOrder(change(timer, goal))]];
    }),
  ) as Schemas["CaseSlaTimers"];
  return { ...timed, sla: shownSla(sla, timers) };
}

/** The SLA with its active timer: of those whose goal is not reached, the one that is due first. */
function shownSla(
  { id, name, snapshot_id }: Schemas["CaseSla"],
  timers: Schemas["CaseSlaTimers"],
): Schemas["CaseSla"] {
  const [active] = Object.values(timers)
    .filter(({ time_completed }) => time_completed === undefined)
    .toSorted((left, right) => (left.time_due ?? 0) - (right.time_due ?? 0));
  return {
    id,
    name,
    snapshot_id,
    ...(active?.time_due === undefined
      ? {}
      : { active_timer_status: active.status, active_timer_time_due: active.time_due }),
    timers,
  };
}

/** The members in the order of the document; equal timers have equal texts. */
function inOrder({ goal_id, status, duration_seconds, ...times }: Timer): Timer {
  const names = [
    "time_started",
    "time_due",
    "time_paused",
    "time_completed",
    "total_pause_time",
  ] as const;
  return {
    goal_id,
    status,
    duration_seconds,
    ...Object.fromEntries(
      names.flatMap((name) => (times[name] === undefined ? [] : [[name, times[name]]])),
    ),
  };
}
