/** Preloaded into every test process: a file that never ends would keep the whole suite waiting without a word. */
const MAX_MINUTES = 7;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${process.argv[1]} did not end within ${MAX_MINUTES} minutes: something in it still runs or is open (${open}).`);
  process.exit(1);
}, MAX_MINUTES * 60_000).unref();
