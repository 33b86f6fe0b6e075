/** Lines for the log that others can cause: so many in an hour, and then only how many there were. */
const MOST = 60;
const WINDOW_MS = 3_600_000;

export function createRecorder(log: (words: string) => void, now: () => number): (words: string) => void {
  let [since, count] = [Number.NEGATIVE_INFINITY, 0];
  return (words) => {
    if (now() - since > WINDOW_MS) {
      if (count > MOST) log(`${count - MOST} more lines about mails were left out.`);
      [since, count] = [now(), 0];
    }
    count++;
    if (count <= MOST) log(words);
  };
}
