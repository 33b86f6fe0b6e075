const MAX_LABELS = 80;
const HOST = 'data-hermes-labels';
const BOXED =
  /^( *)- (?:button|checkbox|combobox|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)\b.*\[ref=(\w+)\].*\[box=(-?\d+),(-?\d+),(\d+),(\d+)\]/i;

interface ElementLabel {
  readonly ref: string;
  readonly box: readonly number[];
}

/** Refs with their places; those inside frames are left out, their places are told from another corner. */
export function parseLabels(snapshot: string): readonly ElementLabel[] {
  const labels: ElementLabel[] = [];
  let frame = Infinity;
  for (const line of snapshot.split('\n')) {
    const depth = line.length - line.trimStart().length;
    if (depth <= frame) frame = /^ *- iframe\b/.test(line) ? depth : Infinity;
    const [, , ref, ...box] = depth > frame ? [] : (BOXED.exec(line) ?? []);
    const [, , width = 0, height = 0] = box.map(Number);
    if (ref !== undefined && width > 0 && height > 0 && labels.length < MAX_LABELS) labels.push({ ref, box: box.map(Number) });
  }
  return labels;
}

/** A script that frames each element and writes its ref beside it, apart from the page's own styles. */
export const createAnnotationScript = (snapshot: string): string => `((labels) => {
  const host = document.createElement('div');
  host.setAttribute('${HOST}', '');
  host.style.cssText = 'position:fixed;inset:0;pointer-events:none;z-index:2147483647';
  const root = host.attachShadow({ mode: 'closed' });
  for (const { ref, box: [x, y, width, height] } of labels) {
    const frame = document.createElement('div');
    frame.style.cssText = 'position:fixed;box-sizing:border-box;border:2px solid #d00;left:' + x + 'px;top:' + y + 'px;width:' + width + 'px;height:' + height + 'px';
    const name = document.createElement('span');
    name.textContent = ref;
    name.style.cssText = 'position:absolute;left:-2px;top:' + (y > 15 ? -15 : -2) + 'px;font:bold 11px sans-serif;color:#fff;background:#d00;padding:0 2px';
    frame.append(name);
    root.append(frame);
  }
  document.documentElement.append(host);
})(${JSON.stringify(parseLabels(snapshot))})`;

export const REMOVE_LABELS = `document.querySelectorAll('[${HOST}]').forEach((host) => host.remove())`;
