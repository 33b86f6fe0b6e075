/** Cut by code points, so that no delta ends in half a character. */
export function splitByCodePoints(text: string, size: number): readonly string[] {
  const points = Array.from(text);
  const step = Math.max(1, size);
  return Array.from({ length: Math.ceil(points.length / step) }, (_, index) => points.slice(index * step, (index + 1) * step).join(''));
}

/** The start of a JSON object is never JSON. */
export function takeFirstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}
