/**
 * Lets what waits go first, between two pieces of long work: in the first round of the event loop keys are read, in the second
 * what they changed is drawn.
 */
export async function breathe(): Promise<void> {
  await new Promise((done) => setImmediate(done));
  await new Promise((done) => setImmediate(done));
}
