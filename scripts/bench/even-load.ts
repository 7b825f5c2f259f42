/**
 * Run with a URL, requests per second, seconds and headers as JSON. Sends GET requests at even distances, whether earlier
 * ones are answered or not, and prints the milliseconds of each that succeeded as JSON.
 */
import { Agent, request } from "node:http";

const [url = "", perSecond = "", seconds = "", headers = "{}"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const options = { agent, headers: JSON.parse(headers) as Record<string, string> };
const count = Number(perSecond) * Number(seconds);
const began = performance.now();
let sent = 0;
const times: number[] = [];

function send(): void {
  sent += 1;
  const start = performance.now();
  const outgoing = request(url, options, (answer) => {
    answer.resume();
    answer.on("end", () => {
      if (answer.statusCode === 200) times.push(performance.now() - start);
    });
  });
  outgoing.on("error", () => undefined);
  outgoing.end();
}

const timer = setInterval(() => {
  const due = Math.min(count, ((performance.now() - began) / 1_000) * Number(perSecond));
  while (sent < due) send();
  if (sent < count) return;
  clearInterval(timer);
  // The last responses are not counted if they take longer.
  setTimeout(() => {
    process.stdout.write(JSON.stringify(times), () => process.exit());
  }, 500);
}, 1);
