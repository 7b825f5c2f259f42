import { expect, test } from "vitest";
import type { SlaSnapshot } from "./slas.ts";
import {
  advancedTimers,
  nextInstant,
  settledTimers,
  startedSla,
  type TimedCase,
} from "./timers.ts";

const start = Date.parse("2026-03-01T12:00:00Z");
/** Minutes after the start. */
const at = (minutes: number): Date => new Date(start + minutes * 60_000);
const unix = (minutes: number): number => start / 1_000 + minutes * 60;
const iso = (minutes: number): string => at(minutes).toISOString();

const group = (digit: number): string => String(digit).repeat(32);
const step = (digit: number, minutes: number) => ({
  notification_group_id: group(digit),
  escalate_after_seconds: minutes * 60,
});

/** Acknowledged within 15 minutes, resolved within 60. */
const snapshot: SlaSnapshot = {
  id: "a".repeat(32),
  cid: "c".repeat(32),
  sla_id: "b".repeat(32),
  name: "Critical",
  goals: [
    { id: group(1), type: "ack", duration_seconds: 900, steps: [step(1, 0), step(2, 30)] },
    { id: group(2), type: "resolve", duration_seconds: 3_600, steps: [step(3, 0)] },
  ],
};

type Status = TimedCase["status"];

/** A case in progress. */
class Progress {
  timed: TimedCase;
  readonly log: string[] = [];

  constructor(status: Status = "new") {
    this.timed = settledTimers({ status, ...startedSla(snapshot, at(0)) }, at(0));
  }

  get timers() {
    return this.timed.sla?.timers;
  }

  set(minutes: number, status: Status): this {
    this.timed = settledTimers({ ...this.timed, status }, at(minutes));
    return this;
  }

  activate(minutes: number, active: boolean): this {
    const { sla_progress } = this.timed;
    if (sla_progress === undefined) throw new Error("the case has no SLA");
    const timed = { ...this.timed, sla_progress: { ...sla_progress, active } };
    this.timed = settledTimers(timed, at(minutes));
    return this;
  }

  /** Handles every due time up to this one, like the jobs do. */
  until(minutes: number): this {
    for (;;) {
      const next = nextInstant(this.timed);
      if (next === null || Date.parse(next) > at(minutes).getTime()) return this;
      const { after, steps } = advancedTimers(this.timed, new Date(next));
      this.timed = after;
      for (const { goal, number } of steps) {
        this.log.push(`${(Date.parse(next) - start) / 60_000}: ${goal} ${number}`);
      }
    }
  }
}

test("both timers start at the creation, and the first one due is active", () => {
  const { timed, timers } = new Progress();
  expect(timers).toEqual({
    acknowledgement: {
      goal_id: group(1),
      status: "in_progress",
      duration_seconds: 900,
      time_started: unix(0),
      time_due: unix(15),
      total_pause_time: 0,
    },
    resolution: expect.objectContaining({ status: "in_progress", time_due: unix(60) }),
  });
  expect(timed.sla).toMatchObject({
    active_timer_status: "in_progress",
    active_timer_time_due: unix(15),
  });
  expect(nextInstant(timed)).toBe(iso(15));
});

test("taking the case in time reaches the first goal, closing it the second", () => {
  const progress = new Progress().set(10, "in_progress");
  expect(progress.timers?.acknowledgement).toMatchObject({
    status: "achieved",
    time_completed: unix(10),
  });
  expect(progress.timed.sla?.active_timer_time_due).toBe(unix(60));
  progress.set(59, "closed").until(10_000);
  expect(progress.timers?.resolution).toMatchObject({
    status: "achieved",
    time_completed: unix(59),
  });
  expect(progress.timed.sla).not.toHaveProperty("active_timer_status");
  expect(progress.log).toEqual([]);
  expect(nextInstant(progress.timed)).toBeNull();
});

test("a case that nobody takes is escalated step by step, once per step", () => {
  const progress = new Progress().until(20);
  expect(progress.timers?.acknowledgement?.status).toBe("missed");
  expect(progress.timed.sla?.active_timer_status).toBe("missed");
  expect(progress.log).toEqual(["15: ack 1"]);
  progress.until(7 * 24 * 60);
  expect(progress.log).toEqual(["15: ack 1", "45: ack 2", "60: resolve 1"]);
  expect(nextInstant(progress.timed)).toBeNull();
});

test("taking a case late cancels the remaining steps", () => {
  const progress = new Progress().until(30).set(31, "in_progress").until(59);
  expect(progress.log).toEqual(["15: ack 1"]);
  expect(progress.timers?.acknowledgement).toMatchObject({
    status: "missed",
    time_completed: unix(31),
  });
});

test("steps that were due before a change are executed after it, if no job ran before", () => {
  const progress = new Progress().set(50, "closed");
  expect(progress.timers).toMatchObject({
    acknowledgement: { status: "missed", time_completed: unix(50) },
    resolution: { status: "achieved", time_completed: unix(50) },
  });
  expect(nextInstant(progress.timed)).toBe(iso(15));
  progress.until(10_000);
  expect(progress.log).toEqual(["15: ack 1", "45: ack 2"]);
});

test("the time in which a case was closed does not count", () => {
  const progress = new Progress().set(5, "in_progress").set(20, "closed").until(500);
  progress.set(500, "reopened");
  expect(progress.timers?.resolution).toEqual({
    goal_id: group(2),
    status: "in_progress",
    duration_seconds: 3_600,
    time_started: unix(0),
    time_due: unix(540),
    total_pause_time: 480 * 60,
  });
  expect(progress.timers?.acknowledgement?.status).toBe("achieved");
  progress.until(10_000);
  expect(progress.log).toEqual(["540: resolve 1"]);
});

test("a missed goal remains missed when the case is reopened", () => {
  const progress = new Progress("in_progress").until(70).set(80, "closed").set(90, "reopened");
  progress.until(10_000);
  expect(progress.timers?.resolution).toMatchObject({ status: "missed", time_due: unix(70) });
  expect(progress.log).toEqual(["60: resolve 1"]);
});

test("inactive timers pause", () => {
  const progress = new Progress().activate(10, false).until(500);
  expect(progress.timers).toMatchObject({
    acknowledgement: { status: "paused", time_paused: unix(10) },
    resolution: { status: "paused", time_paused: unix(10) },
  });
  expect(progress.timed.sla?.active_timer_status).toBe("paused");
  expect(nextInstant(progress.timed)).toBeNull();
  progress.activate(20, false).activate(110, true);
  expect(progress.timers?.acknowledgement).toMatchObject({
    status: "in_progress",
    time_due: unix(115),
    total_pause_time: 100 * 60,
  });
  expect(progress.timers?.acknowledgement).not.toHaveProperty("time_paused");
  progress.until(10_000);
  expect(progress.log).toEqual(["115: ack 1", "145: ack 2", "160: resolve 1"]);
});

test("a pause ends with the goal, and continues after reopening", () => {
  const progress = new Progress("in_progress").activate(10, false).set(30, "closed");
  expect(progress.timers?.resolution).toMatchObject({
    status: "achieved",
    time_completed: unix(30),
    total_pause_time: 20 * 60,
  });
  progress.set(40, "reopened");
  expect(progress.timers?.resolution).toMatchObject({ status: "paused", time_paused: unix(40) });
  expect(progress.activate(50, true).timers?.resolution).toMatchObject({
    status: "in_progress",
    time_due: unix(100),
  });
});

test("a step at the instant of the change is due", () => {
  const progress = new Progress().set(15, "in_progress").until(100);
  expect(progress.timers?.acknowledgement?.status).toBe("missed");
  expect(progress.log).toEqual(["15: ack 1", "60: resolve 1"]);
});

test("a change that does not affect the timers does not change their text", () => {
  const { timed } = new Progress().activate(10, false);
  expect(JSON.stringify(settledTimers(timed, at(20)))).toBe(JSON.stringify(timed));
});
