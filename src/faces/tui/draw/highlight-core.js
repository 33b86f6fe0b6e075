// Not TypeScript: the types of this package bring along those of a browser, and with them globals that Node does not have.
export { default } from 'highlight.js/lib/core';
