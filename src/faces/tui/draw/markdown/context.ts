import type { MarkdownPaint } from '../../../../base/markdown/flow.ts';
import type { DrawContext } from '../../contract.ts';

/** What lines of Markdown are drawn with. */
export interface MarkdownContext {
  readonly paint: MarkdownPaint;
  readonly columns: number;
  readonly style: DrawContext['style'];
  readonly highlight?: DrawContext['highlight'];
}
