import type { FailureType } from '../../../contracts/failure.ts';
import { joinAlternatives } from './words.ts';

/** Failures an answer can state; a truncated or empty one is the loop's own finding. */
export type RemoteType = Exclude<FailureType, 'truncated' | 'repetition'>;

/** Numbers that one provider gives its errors, which mean nothing elsewhere. The provider is matched by the start of its id. */
export const PROVIDER_CODES: readonly (readonly [provider: RegExp, codes: Readonly<Record<string, RemoteType>>])[] = [
  [
    /^(zai|glm|zhipu|bigmodel)/,
    {
      1000: 'unauthorized',
      1001: 'unauthorized',
      1002: 'unauthorized',
      1003: 'unauthorized',
      1004: 'unauthorized',
      1110: 'forbidden',
      1111: 'forbidden',
      1112: 'forbidden',
      1113: 'billing',
      1211: 'model_not_found',
      1212: 'model_not_found',
      1220: 'forbidden',
      1221: 'model_not_found',
      1222: 'model_not_found',
      1230: 'server_error',
      1234: 'server_error',
      1261: 'context_overflow',
      1301: 'content_blocked',
      1302: 'rate_limited',
      1303: 'rate_limited',
      1304: 'rate_limited',
      1305: 'overloaded',
      1308: 'rate_limited',
      1309: 'billing',
      1310: 'rate_limited',
      1311: 'forbidden',
      1312: 'overloaded',
      1313: 'forbidden',
    },
  ],
  [
    /^minimax/,
    {
      1000: 'server_error',
      1001: 'timeout',
      1002: 'rate_limited',
      1004: 'unauthorized',
      1008: 'billing',
      1013: 'server_error',
      1024: 'server_error',
      1026: 'content_blocked',
      1027: 'content_blocked',
      1033: 'server_error',
      1039: 'rate_limited',
      1041: 'rate_limited',
      2045: 'rate_limited',
      2049: 'unauthorized',
      2056: 'rate_limited',
      2061: 'forbidden',
      2064: 'overloaded',
    },
  ],
  [/^siliconflow/, { 20012: 'model_not_found', 30001: 'billing', 30003: 'model_not_found', 50505: 'overloaded', 50603: 'overloaded' }],
  // Here the code of a spent account means tokens per minute.
  [/^(alibaba|dashscope|qwen)/, { insufficientquota: 'rate_limited', throttlingallocationquota: 'rate_limited' }],
  [/^mistral/, { 1300: 'rate_limited', 1500: 'model_not_found', 3230: 'bad_request', 3505: 'overloaded' }],
];

/** A pattern for whole names; in the list each line, and each part between bars, is one. */
const names = ({ raw }: TemplateStringsArray): RegExp => new RegExp(`^(?:${joinAlternatives(raw)})$`);

/** Names in use by more than one provider, without punctuation and in lower case. The first that fits holds. */
export const CODES = {
  billing: names`
    insufficient(quota|balance|credits?|userquota|funds)(error)?|billingnotactive|billinghardlimit(reached)?
    billingdisabled|billing(error)?|paymentrequired(error)?|nousablecredits|balancedepleted|arrearage
    accountoverdue(error)?|budgetexceeded|preconsumetokenquotafailed|exceededcurrentquotaerror|creditserror
    creditlimitexceeded|memberspendcapexceeded|modelnotsupportedonfreetier|.*spendinglimit|quotaexhausted
    notenough(balance|credits?|quota|funds)|setlimitexceeded|freetieronly|allocationquotafreetieronly|tokenquotanotenough|accessdeniedunpurchased|usagenotincluded
  `,
  content: names`
    contentfilter(error|ed)?|contentpolicy(violation)?|contentpolicyviolationerror|responsibleaipolicyviolation
    datainspectionfailed|.*sensitivecontentdetected.*|.*sensitive(error)?|cyberpolicy|moderation(blocked|error)?
    contentmoderation|safety(error|block)?|invalidprompt|promptblocked|prohibitedcontent|contentblocked
    contentviolation|riskcontrol|imagecontentpolicyviolation|refusal
  `,
  overflow: names`
    context(length|window|size)(limit)?exceeded(error)?|exceedcontextsize(error)?|modelmaxprompttokensexceeded
    tokens?limitreached|contextoverflow|prompttoolong|inputtoolong|requesttoolong|maxprompttokensexceeded
    tokenlimitexceeded|maxcontextlengthexceeded|(tokens?|characters?|messages?|context|content)toolong
    exceed(ed|s)?(the)?(max)?(context|prompt|inputlength|inputtoken).*
    .*(contextlength|contextwindow|promptlength|inputlength|inputtokens)(limit)?(exceed|overflow).*
  `,
  model: names`
    model(notfound|notavailable|notsupported|decommissioned|notexist|deprecated|archived|terminated|retired|error|notfounderror)
    invalidmodel(error|name|id)?|deploymentnotfound|invalidendpointormodel.*|unsupportedmodel|unknownmodel
    nosuchmodel|functionnotfound|unsupportedapiformodel
  `,
  auth: names`
    invalid(api|access)?key(error|provided)?|authentication(error|failed|required|exception)?
    invalidauthentication(error)?|unauthorized|unauthenticated|(access)?tokenexpired|expiredtoken(exception)?
    unrecognizedclient(exception)?|invalidsignatureexception|apikeyinvalid|apikeyexpired|tokennotfoundindb|autherror
    incorrectapikey(provided)?|invalidtoken|missingapikey|missingauthentication.*|invalidclienttokenid
    invalididtoken|gatewayauthfailed|noauth|invalidcredentials?|expiredkey|tokenrevoked|tokeninvalidated
  `,
  throttled: names`
    ratelimit.*|rate_limit.*|toomanyrequests(error|exception)?|throttl.*|limitburstrate|limitrequests|limittokens
    tokenquotaexceeded|requestquotaexceeded|toomanytokens(error)?|.*tpmexceeded|.*rpmexceeded|usagelimitreached
    usagelimitexceeded|limitexceededexception|servicequotaexceeded(exception)?|quotaexceeded|requestlimitexceeded
    tpmlimit|rpmlimit|concurrencylimit.*|resourceexhausted|requestbursttoofast|dailylimit.*|freeusagelimiterror
    monthlyusagelimiterror|subscriptionusagelimiterror
  `,
  overloaded: names`
    overloaded(error)?|(engine|server|model|system)overloaded(error)?|queueexceeded
    serviceunavailable(error|exception)?|unavailable|modelnotready(exception)?|slowdown|capacityexceeded|serverbusy
    modelbusy|nocapacity|insufficientsystemresource|toobusy|servertoobusy
  `,
  server: names`
    internal(server)?(error|exception|failure)|internalservererror|apierror|servererror|modelerrorexception
    modelstreamerrorexception|networkerror|upstreamerror|badgateway|streamerror|dorequestfailed|unknownexception
    connectionerror|apiconnectionerror|midstreamfallbackerror|badresponsestatuscode|emptyresponse
  `,
  timeout: names`
    modeltimeout(exception)?|deadlineexceeded|timeout(error)?|requesttimeout(exception|error)?|gatewaytimeout
    operationtimedout|apitimeouterror|timedout
  `,
  payload: names`
    requesttoolarge|payloadtoolarge|requestentitytoolarge|contenttoolarge|bodytoolarge
  `,
  signature: names`
    invalidencryptedcontent|invalidthoughtsignature|invalidsignature(error)?|thinkingsignature.*
  `,
  parameter: names`
    unsupportedparameter|unknownparameter|unsupportedvalue|extraforbidden|unrecognizedparameter
    unsupportedparams?error|wrongapiformat
  `,
  schema: names`
    invalidfunctionparameters|invalidjsonschema|invalidschema|invalidtoolschema|invalidfunctionschema|grammarerror
  `,
  image: names`
    invalidimage.*|image(parse|too|format|size|url|notsupported|dimension).*|unsupportedimage.*|invalidbase64image
    emptyimagefile|toomanyimages
  `,
  forbidden: names`
    permissiondenied(error)?|permissionerror|accessdenied(exception|error)?|noaccess|forbidden|modelaccessdenied
    unsupportedcountryregionterritory|accessterminatederror|modelnotopen|notauthorized|insufficientpermissions?
    modeltermsrequired|unsupportedlocation
  `,
} as const;
