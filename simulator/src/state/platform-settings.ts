/** Settings every platform has. */
type CommonSettings = {
  /** A delay added to every reply, to simulate a distant or busy platform. */
  latencyMs: number
  /**
   * How long a new object (a container, an upload, a post that is replied to) is not ready at most; at least it is two fifths of this.
   * Platforms answer before all of their servers know a new object.
   */
  notReadyMs: number
  /** How long a video takes to become ready. */
  processingMs: number
  /** How long an image takes to become ready, on platforms that fetch images from a URL. */
  imageProcessingMs: number
  /** Whether the processing of media ends in a failure instead of a post or a usable file. */
  processingFails: boolean
  /** How long a new post is missing from lists and lookups. Replies, deletions and duplicate checks see it at once. */
  readDelayMs: number
  /** The lifetime of new access tokens; null means the documented one. */
  accessTokenSeconds: number | null
}

export type RegisteredApp = { clientId: string; clientSecret: string; redirectUris: string[] }

/** Behaviour that only some platforms have, and that their documentation leaves open or makes depend on the app. */
type OwnSettings = {
  /**
   * X, LinkedIn and Facebook: whether the same text is refused for a time (on Facebook: twice in a row). X does not document it; LinkedIn
   * documents it for an older API.
   */
  duplicateFilter: boolean
  duplicateWindowMs: number
  /** Threads and Instagram: what publishing a published container does. Meta does not document it. */
  secondPublish: 'refuse' | 'repeat'
  /** Threads and Instagram: for how long a published container still reports that it is only finished. */
  containerStatusDelayMs: number
  /** Threads and Instagram: whether a container can be read. From May 2026 on, Meta denied them for hours and published them all the same. */
  containersShown: boolean
  /** Mastodon: whether the server honours Idempotency-Key. Servers with other software may not. */
  idempotencyKeys: boolean
  /** Bluesky: whether there is a video service, and whether it can reach the data server that it stores the file on. */
  videoService: 'working' | 'missing' | 'cannot-store'
  /** Bluesky: the largest file that the data server accepts. The default of one's own server is 5 MiB. */
  blobBytesMax: number
  /** LinkedIn: whether apps receive refresh tokens. Only approved partners do; self-serve apps do not. */
  refreshTokens: boolean
  /** Where an operator registers a developer app: the only one that is accepted. Null means any. */
  app: RegisteredApp | null
  /** Whether a refresh token stops working when it is used. */
  singleUseRefreshTokens: boolean
  /**
   * YouTube: whether the project of the app has passed the audit; otherwise its videos are locked as private. Google Business Profile: whether
   * the project was approved; otherwise its quota is 0.
   */
  audited: boolean
}

export type PlatformSettings = CommonSettings & Partial<OwnSettings>
export type SettingName = keyof CommonSettings | keyof OwnSettings

export const commonSettings: CommonSettings = {
  latencyMs: 0,
  notReadyMs: 5000,
  processingMs: 500,
  imageProcessingMs: 0,
  processingFails: false,
  readDelayMs: 0,
  accessTokenSeconds: null,
}
