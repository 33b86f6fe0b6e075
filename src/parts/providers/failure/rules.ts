import type { FailureType } from '../../../contracts/failure.ts';
import { CODES } from './codes.ts';
import type { Facts } from './facts.ts';
import { exceeds, room } from './numbers.ts';

/** A row holds when its status fits, one of its codes or words fits, and nothing speaks against it. The first row that holds wins. */
export interface Rule {
  readonly type: FailureType;
  readonly status?: readonly number[];
  readonly codes?: RegExp;
  readonly words?: RegExp;
  readonly unless?: RegExp;
  readonly when?: (facts: Facts) => boolean;
}

const THROTTLE =
  /rate.?limit|too many (requests|concurrent|tokens|connections)|throttl|(tokens?|requests?|queries|quer(y|ies)|calls?) per (min|sec|hour|day)|\b[tr]p[md]\b|请求数限制|频率|限流|速率|并发|concurren(t|cy) (requests? )?limit|request rate|quota exceeded for|resource (has been )?exhausted|slow down/;
const OVERLOAD =
  /over ?load|(at|over|insufficient|no|not enough|exceeded) capacity|capacity (constraint|limit|exceeded)|(too|model|server|service|is|currently) busy|high (traffic|demand|load)|(temporarily|currently) unavailable|访问量过大|负载|繁忙|过载|拥挤|no available (model )?(provider|channel|server|instance|worker)|being (warmed|loaded|scaled)|loading model|model is (currently )?loading|pending requests exceeded|queue is full|try again soon/;
const BILLING =
  /insufficient (credits?|balance|funds|account balance|quota)|credit balance|(balance|credits?|quota|funds) (is |are |has been |have been )?(too low|not enough|insufficient|exhausted|depleted|used up|run out)|out of (credits?|funds|extra usage)|no (remaining |usable |available )?credits|payment (required|method|instrument)|payment_instrument|billing (details|hard limit|to be enabled|is disabled|not active|account|issue)|top.?up|recharge|overdue|arrear|in good standing|spend(ing)? (limit|cap)|budget (has been )?exceeded|purchase (more )?credits|(used|exhausted) all available credits|requires (more|available) credits|exceeded your current quota|usage limits.{0,40}regain access|account (is )?(not active|deactivated|suspended due to)|token quota is not enough|余额|欠费|充值|额度|недостаточно средств|free (tier|quota|trial).{0,40}(exhausted|ended|used up|not available|expired|only)|subscription (has )?(expired|ended|required|is inactive)|no active subscription|membership|plan does not include|account balance/;
const TRANSIENT = /try again (later|in|after)|retry (in|after)|resets? (at|in|on)|per (minute|min|hour|day|second)|quota exceeded for metric|please wait|next period|\bwindow\b|5.?hour|daily|weekly/;
const CONTENT =
  /content.{0,20}(filter|policy|management policy|moderation|violat|inspection)|usage (policy|policies|guidelines)|violat(es|ed|ing|ion).{0,40}(polic|guideline|terms|safety)|(input|prompt|content|request|output) (was |is |has been )?(flagged|blocked|rejected)|flagged (for|as|by)|safety (system|filter|check|reasons|policy)|high risk|inappropriate content|sensitive (content|information|words?)|new_sensitive|prohibited (content|use)|harmful|敏感|违规|不安全|unsafe|cybersecurity risk|considered high|responsible ai/;
const POLICY = /data policy|guardrail|privacy settings?|settings\/(privacy|guardrails)|zero data retention|\bzdr\b/;
const SIGNATURE =
  /(thinking|thought|reasoning|redacted_thinking).{0,80}(signature|cannot be modified|must remain)|signature.{0,40}(thinking|thought|reasoning)|thought_signature|encrypted.?content.{0,80}(verif|decrypt|invalid|pars|unmodified)|decrypt.{0,40}encrypted|reasoning item.{0,60}(without|required following|not found)|item.{0,20}'?rs_/;
const STREAMING =
  /stream(ing)?(=true)?\b.{0,30}(not|isn't|n't) (be )?(supported|available|allowed|enabled|permitted)|(un|not )supported for streaming|verified to stream|(does not|doesn't|do not|cannot|can't) (support )?stream(ing)?\b|streaming (is )?(unsupported|disabled)|set stream to false|stream must be false|only (supports? )?non-?streaming/;
const TOOL_CONTENT =
  /role.{0,6}tool.{0,200}(must be a string|image)|tool (message|result|response|role)s?.{0,60}(must be (a )?(string|text)|only (support|text|accept)|string)|only text tool_result|`?text`? is not set|tool_result.{0,60}(image|only text|string)|expected (a )?string, (got|but got) (a |an )?(list|array)|input should be a valid string.{0,40}tool|tool.{0,40}content.{0,40}(image|multimodal).{0,40}not/;
const IMAGE =
  /image.{0,80}(exceeds?|too (large|big|many|small)|unsupported|not (supported|enabled|allowed|valid|available)|at most|restrictions|dimension|could not (be )?process|invalid|corrupt|may be provided|cannot be|resolution|not a multimodal)|(unsupported|invalid|too many|at most \d+|could not process|unable to (process|download|decode)|failed to (process|decode|download|load)|cannot (read|process)) (the |an |this |input |any )?images?|unknown variant `?image|(support|accept)s? (at most \d+ )?(image|vision|multimodal)|(not|n't) (support|accept|have|process|handle) (image|vision|multimodal|visual)|(not|no|without) (a )?(vision|multimodal)|image (input|content|part)s?.{0,40}(not|no )|mmproj|image_url.{0,60}(not|only|invalid|unsupported|expected)|content\.type.{0,40}\['text'\]|only.{0,10}'?text'?.{0,20}content type/;
const SCHEMA =
  /(invalid|unsupported|bad|malformed).{0,20}(json )?schema|schema.{0,60}(is )?(invalid|not (valid|supported)|unsupported|missing)|(parse|compile|convert|initialize|build|generate).{0,30}(grammar|samplers|schema)|grammar.{0,30}(error|fail|invalid|not)|not a valid .{0,30}schema|unknown name .{0,60}(tools|function_declarations|parameters)|(input_schema|function_declarations|tools?\[?\.?\d*\]?.{0,30}parameters).{0,120}(required|must|invalid|should|missing|unknown|not)|unrecognized schema|json_schema_to_grammar|unresolved \$ref|unsupported keyword/;
const PARAMETER =
  /(unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|additional|extra) (request )?(parameter|argument|field|name|keyword|propert(y|ies)|inputs?)|extra inputs are not permitted|(parameter|argument|property|field|option)s?\b.{0,60}(not (currently )?(supported|permitted|allowed|recogni[sz]ed)|unsupported|unknown)|unsupported value|does not support (tools|function|tool|parallel|reasoning|thinking|temperature|the)|not (currently )?supported (with|on|by|for) this model|tool choice requires|is not currently supported|(param(eter)?s?\.?\w*|enable_thinking|temperature|top_p|stream_options) must be (set|one)|got an unexpected keyword|unknown name/;
const OVERFLOW =
  /context.{0,12}(length|size|window|limit|overflow)|maximum context|token limit|too many tokens|(prompt|input|messages?|request|conversation) (is |are |was )?too (long|large)|reduce the (length|size|number)|(exceed|exceeds|exceeded|longer than|greater than|more than|over|beyond).{0,60}(tokens?|context|max(imum)? (model )?len|model limit|input limit)|tokens?.{0,40}(exceed|limit|too)|input is too long|max(imum)? (prompt|input|model|sequence).{0,12}(length|len|tokens?)|n_ctx|truncat(e|ing) (prompt|input)|超长|超过.{0,20}(上下文|长度|最大|token)|上下文|range of input length|input length/;
const MODEL =
  /(model|deployment|engine|checkpoint).{0,80}(not (be )?(found|exist|support|available|deployed|recogni[sz]ed|valid|loaded)|n't (exist|support)|does not exist|not supported|unsupported|decommissioned|deprecated|retired|end of (its )?life|no longer|is unknown|unavailable|not a valid|has been (removed|shut))|(unknown|invalid|unsupported|no such|not found the|unable to access|cannot find|could not find|couldn't find|unrecognized) (the )?(publisher )?model|no endpoints? (found|available)|invalid model|无可用渠道|模型.{0,20}(不存在|不支持|未)|not found for account|model.{0,20}(id|name).{0,20}(invalid|incorrect)|publisher model/;
const AUTH =
  /(invalid|incorrect|expired|missing|no|revoked|bad|unrecognized|wrong|malformed).{0,20}(api|access|subscription|auth\w*|secret|security)?.{0,3}(key|token|credential|bearer|authentication|username|authorization)s?\b|(key|token|credential)s?.{0,40}(invalid|incorrect|expired|not valid|revoked|is missing|not found in|not provided)|authentication (fail|error|token|required)|unauthorized|unauthenticated|login fail|not logged in|please (sign|log) ?in|身份|令牌|已过期|密钥|api.?key (is|was|not)/;
const ENDPOINT = /^(404 )?(page )?not[_ ]found|no route|cannot (post|get)|requested url|404 not[_ ]found|invalid url|unknown (endpoint|url|path|request url)|nothing (here|at)|method not allowed|no static resource|unrecognized request url/;
const TIMEOUT = /timed? ?out|time-?out|deadline (exceeded|expired)|took too long|zeitüberschreitung/;
const TRANSCRIPT =
  /tool_use.{0,40}ids?|tool_result|tool_call_id|roles? must alternate|must alternate|non-empty|no tool output|previous response|last role|turn comes|no user query|at least one message|content (field )?is (required|empty)|messages? (parameter|参数)|must be followed by tool|header or cookie/;
const HOLLOW = /^\W*(error|bad ?request|invalid request|unknown( error)?|none|null|failed|400|error 400|400 bad request|bad request error|\{?\}?)?\W*$/;

const SERVER = [500, 501, 502, 505, 506, 507, 508, 520, 521, 523, 525, 526, 527, 530];
const large = ({ fill }: Facts): boolean => fill === undefined || fill >= 0.5;

export const RULES: readonly Rule[] = [
  // Sentences that name one cause, whatever the status.
  { type: 'context_overflow', words: /extra usage.{0,60}long context|long context.{0,60}extra usage/ },
  { type: 'upstream_limited', when: ({ relayed, status }) => relayed && (status === 429 || status === 402) },
  { type: 'upstream_limited', words: /rate.?limited upstream|provider rate limit exceeded|upstream.{0,40}(rate.?limit|429|too many requests|quota)/ },
  { type: 'streaming_refused', words: STREAMING, unless: /stream_options/ },
  { type: 'streaming_refused', codes: CODES.parameter, when: ({ param }) => param === 'stream' },
  { type: 'bad_signature', codes: CODES.signature, words: SIGNATURE },
  { type: 'tool_content_refused', status: [400, 415, 422, 0, 500], words: TOOL_CONTENT },
  { type: 'image_refused', status: [400, 404, 413, 415, 422, 0, 500], codes: CODES.image, words: IMAGE, unless: /rate.?limit|tokens of image|too many requests/ },
  { type: 'schema_refused', status: [400, 422, 0, 500], codes: CODES.schema, words: SCHEMA, unless: /response_format/ },
  // Throttling stands before overflow: "too many tokens, please wait" is no long prompt.
  { type: 'billing', status: [429], codes: CODES.billing },
  { type: 'overloaded', status: [429], codes: CODES.overloaded },
  { type: 'billing', status: [429], words: BILLING, when: ({ words, codes }) => !TRANSIENT.test(words) && !codes.some((code) => CODES.throttled.test(code)) },
  { type: 'overloaded', status: [429], words: OVERLOAD, unless: /rate.?limit|usage limit|too many (requests|concurrent)/ },
  { type: 'rate_limited', status: [429] },
  { type: 'rate_limited', codes: CODES.throttled, when: ({ status }) => status !== 503 && status !== 404 },
  { type: 'rate_limited', words: THROTTLE, when: ({ status }) => status < 500 && status !== 401 && status !== 402 },
  // Money.
  { type: 'rate_limited', status: [402], words: /(usage|rate|request) limit|quota/, when: ({ words }) => TRANSIENT.test(words) },
  { type: 'billing', status: [402] },
  { type: 'billing', codes: CODES.billing },
  { type: 'billing', words: BILLING, when: ({ status }) => status < 500 && status !== 401 },
  // What was said, and whether it may be.
  { type: 'content_blocked', codes: CODES.content },
  { type: 'policy_blocked', words: POLICY },
  { type: 'content_blocked', words: CONTENT, when: ({ status, json }) => status < 500 && json },
  // Sizes, by figures first.
  { type: 'output_cap', when: ({ numbers, status }) => status < 500 && room(numbers) !== undefined },
  { type: 'context_overflow', when: ({ numbers }) => exceeds(numbers) },
  { type: 'context_overflow', codes: CODES.overflow },
  { type: 'payload_too_large', codes: CODES.payload },
  { type: 'context_overflow', status: [413], words: /tokens?\b|context/ },
  { type: 'payload_too_large', status: [413] },
  // Structured names of the rest.
  { type: 'forbidden', status: [403], codes: CODES.model },
  { type: 'model_not_found', codes: CODES.model },
  { type: 'timeout', codes: CODES.timeout },
  { type: 'parameter_refused', codes: CODES.parameter },
  { type: 'overloaded', codes: CODES.overloaded },
  // Who is asking.
  { type: 'unauthorized', status: [401] },
  { type: 'unauthorized', status: [403], words: AUTH, unless: /not authorized|permission|not allowed|not licensed/ },
  { type: 'unauthorized', codes: CODES.auth, when: ({ status }) => status !== 403 || true },
  { type: 'forbidden', status: [403] },
  { type: 'forbidden', codes: CODES.forbidden, when: ({ status }) => status < 500 },
  { type: 'forbidden', words: /location is not supported|country|region.{0,20}not (supported|available)|not available in your/ , when: ({ status }) => status < 500 },
  // Where it went.
  { type: 'model_not_found', status: [404, 410], words: MODEL },
  { type: 'endpoint_not_found', words: ENDPOINT, when: ({ claimsOk }) => claimsOk },
  { type: 'endpoint_not_found', status: [404, 405, 410] },
  // Time and load.
  { type: 'timeout', status: [408, 504, 522, 524, 598, 599] },
  { type: 'model_not_found', status: [400, 422, 503, 0], words: MODEL, unless: /does not support|overload|temporarily|context|at capacity/ },
  { type: 'overloaded', status: [529] },
  { type: 'context_overflow', status: [500, 502, 503], words: OVERFLOW, when: large, unless: /unavailable/ },
  { type: 'overloaded', status: [503] },
  { type: 'overloaded', status: [0, 500, 502], words: OVERLOAD },
  { type: 'server_error', status: SERVER },
  { type: 'server_error', codes: CODES.server, when: ({ status }) => status === 0 },
  // What is wrong with the request.
  { type: 'bad_request', words: TRANSCRIPT },
  { type: 'parameter_refused', words: PARAMETER, unless: /context window|model_not/ },
  { type: 'unauthorized', status: [400, 0], words: AUTH },
  { type: 'context_overflow', words: OVERFLOW, when: large },
  { type: 'context_overflow', status: [400], when: ({ words, fill }) => HOLLOW.test(words) && fill !== undefined && fill >= 0.9 },
  { type: 'timeout', status: [0], words: TIMEOUT },
];
