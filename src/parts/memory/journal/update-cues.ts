/** Words by which people say that something is not as it was. */
const CUES =
  /\b(?:now|moved?|switch(?:ed)?|chang(?:ed|e|es)|instead|no longer|not anymore|anymore|any more|from now on|from today|from (?:january|february|march|april|may|june|july|august|september|october|november|december)|updat(?:ed|e)|correct(?:ed|ion)|rais(?:ed|e)|went up|goes up|go up|went down|dropped to|lowered|halved|doubled|slipped|postponed|pushed (?:back|to)|delayed|resched\w+|cancell?ed|bust|out of business|is out|quit|left us|stand-in|replaced?|replacement|swap(?:ped)?|took over|takes over|taken over|after all|changed (?:my|our|his|her) minds?|turned out|actually|i meant|mistake|wrong|bumped|more .* turned up|so (?:it's|we're|seventeen|twelve|\w+ now)|these days|since then|new (?:one|address|number|code|place|plan)|we got it|came out at|allowed|stays?|let's do|meet in|closes for|instead of|is now|are now|as of|readings? after|effective)\b/iu;
const CUES_DE =
  /\b(?:jetzt|nun|künftig|ab sofort|nicht mehr|statt(?:dessen)?|geändert|ändert|umgestellt|verschoben|verlegt|verlängert|verlängerung|neu(?:e|er|es|en)?|steigt|gestiegen|erhöht|gesenkt|aufgehört|abgesagt|ersetzt|korrigiert|doch|gewechselt|umgezogen|übernimmt|bleibt)\b/iu;
const CUE_SIGNS =
  /改为|改成|改到|改住|改用|换成|换一个|换了|更新|推迟|提前|涨到|涨价|降到|取消|不再|不用|以后|接手|迁到|搬到|变成|现在|起改|最终|纠正|说错|変わ|変更|になりました|今は|更新|移り|やめ|代わり|延期|中止|訂正|のまま|바꿨|변경|옮겼|이제|바뀌|대신|취소|연기|고쳤|로 변|그만|더 이상|เปลี่ยน|ย้าย|แล้วเปลี่ยน|เลิก|ตอนนี้|แทน|ยกเลิก|เลื่อน/u;

export const saysChange = (text: string): boolean => CUES.test(text) || CUES_DE.test(text) || CUE_SIGNS.test(text);

/** Somebody or something named here is no longer there. */
const EXITS =
  /\b(?:cancell?ed|bust|bankrupt|is out|are out|left|quit|resigned|retired|stopped|gave up|on (?:\w+ )?leave|no longer|not anymore|closed down|sold|broke down|fired|aufgehört|gekündigt|abgesagt|pleite|nicht mehr)\b|取消|辞|不干|不做|倒闭|离职|やめ|辞め|中止|倒産|그만|퇴사|취소|폐업|เลิก|ลาออก|ยกเลิก/iu;
export const saysExit = (text: string): boolean => EXITS.test(text);
