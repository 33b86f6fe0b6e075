/** Preloaded into a measured program: tells at its end how much memory it had at most, into the file named by BENCH_PEAK. */
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  // Not maxRSS where there is a choice: a child inherits that figure from the process that started it.
  const kilobytes =
    process.platform === 'linux' ? /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1] : process.resourceUsage().maxRSS;
  writeFileSync(process.env.BENCH_PEAK, String(kilobytes));
});
