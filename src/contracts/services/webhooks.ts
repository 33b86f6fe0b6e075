/** Webhooks of this profile: routes by which events come in, and targets that results go out to. */
export interface WebhookService {
  list(): Promise<readonly WebhookLine[]>;
  /** Throws a `UsageError` when it cannot be so. The secret is told this once. */
  add(wanted: NewWebhook): Promise<AddedWebhook>;
  remove(name: string): Promise<Pick<WebhookLine, 'name' | 'direction'>>;
  /**
   * Sends a signed event to a route of the gateway that runs, as its sender would; where none takes it, it says why, and what
   * would become of the event. To a target it sends a signed message.
   */
  test(name: string, event: TestEvent, signal: AbortSignal): Promise<WebhookTest>;
}
/** `in`: events come by it. `out`: results go there. */
export type WebhookDirection = 'in' | 'out';
export interface WebhookLine {
  readonly name: string;
  readonly direction: WebhookDirection;
  /** Where it is called, or what it calls. */
  readonly url: string;
  /** One that stands in the settings is changed there. */
  readonly from: 'settings' | 'command';
  readonly scheme?: string;
  readonly events?: readonly string[];
  readonly deliver?: string;
  readonly deliverOnly?: boolean;
  readonly description?: string;
}
export interface NewWebhook {
  readonly name: string;
  /** Of a target. */
  readonly url?: string;
  /** One that the other side has made; a new one when left out. */
  readonly secret?: string;
  readonly scheme?: string;
  /** With the scheme `hmac`: where the signature stands, and what is signed. */
  readonly signature?: string;
  readonly signed?: string;
  readonly events?: readonly string[];
  readonly prompt?: string;
  readonly skills?: readonly string[];
  readonly toolsets?: readonly string[];
  readonly deliver?: string;
  readonly deliverOnly?: boolean;
  readonly description?: string;
}
export interface AddedWebhook extends WebhookLine {
  /** Absent when it was given. */
  readonly secret?: string;
  /** `now`: the gateway that runs has it. Otherwise what has to happen first. */
  readonly counts: 'now' | 'after_start' | 'after_restart' | 'never_while_off';
}
export interface TestEvent {
  /** JSON; an example when left out. */
  readonly payload?: string;
  /** The name of the event. */
  readonly event?: string;
}
export interface WebhookTest {
  /** Whether it was taken, or would be. */
  readonly ok: boolean;
  readonly name: string;
  readonly direction: WebhookDirection;
  readonly sent: boolean;
  /** Why nothing was sent, and what to do about it. */
  readonly why?: string;
  readonly url: string;
  readonly status?: number;
  /** What came back, or what would become of it. */
  readonly answer: string;
}
