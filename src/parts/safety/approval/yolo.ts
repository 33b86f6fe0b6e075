/** Whether the environment allows everything above the floor in advance. */
export const isYolo = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:1|true|yes|on)$/i.test(env['HERMES_YOLO_MODE'] ?? '');
