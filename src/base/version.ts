declare const __HERMES_VERSION__: string | undefined;
declare const __SCANNER_BUILD__: string | undefined;

/** Put in by the build; the sources run as `development`. */
export const version = typeof __HERMES_VERSION__ === 'string' ? __HERMES_VERSION__ : 'development';

/** A hash of the scanner's sources, put in by the build. Absent in development, where its rules may change under way. */
export const scannerBuild = typeof __SCANNER_BUILD__ === 'string' ? __SCANNER_BUILD__ : undefined;
