/**
 * Run with a URL, requests per second, seconds and headers as JSON. Sends GET requests at even distances, whether earlier
 * ones are answered or not, and prints how many succeeded.
 */
import { Agent, request } from "node:http";

const [url = "", perSecond = "", seconds = "", headers = "{}"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const options = { agent, headers: JSON.parse(headers) as Record<string, string> };
const count = Number(perSecond) * Number(seconds);
const began = performance.now();
let sent = 0;
let succeeded = 0;

function send(): void {
  sent += 1;
  const outgoing = request(url, options, (answer) => {
    if (answer.statusCode === 200) succeeded += 1;
    answer.resume();
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
    process.stdout.write(String(succeeded), () => process.exit());
  }, 500);
}, 1);
