/** The smallest program with an editor on a terminal that pi-tui makes: what a start is compared with. */
import { Editor, ProcessTerminal, Text, TuiMainScreen } from '@earendil-works/pi-tui';

const plain = (text: string): string => text;
const tui = new TuiMainScreen(new ProcessTerminal());
const editor = new Editor(tui, {
  borderColor: plain,
  selectList: { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain },
});
tui.addChild(new Text('floor'));
tui.addChild(editor);
tui.setFocus(editor);
tui.start();
// It can be left, so that Node keeps its compiled code as it does ours.
tui.addInputListener((data) => {
  if (data === '\u0004') {
    tui.stop();
    process.exit();
  }
  return undefined;
});
