declare const __HERMES_VERSION__: string | undefined;

/** Put in by the build; the sources run as `development`. */
export const version = typeof __HERMES_VERSION__ === 'string' ? __HERMES_VERSION__ : 'development';
