/** JSON in which values are replaced by placeholders, such as `id-1`. */
export type RedactedValue =
  | string
  | number
  | boolean
  | null
  | readonly RedactedValue[]
  | { readonly [name: string]: RedactedValue }

/** One request to a platform and its answer, without anything that is secret or personal. */
export type TranscriptCall = {
  /** What was being published, such as `photo`, and what was being done with it. */
  kind: string
  step: string
  method: string
  /** Without the host, and with placeholders for ids. */
  path: string
  query: RedactedValue
  request: { headers: Readonly<Record<string, RedactedValue>>; body: RedactedValue }
  /** Null if there was no answer. */
  status: number | null
  /** Only the headers that our connectors read. */
  response: { headers: Readonly<Record<string, RedactedValue>>; body: RedactedValue }
  /** How long it took, in milliseconds. */
  ms: number
}

/** What `carillon live-test` saw of a platform. */
export type Transcript = {
  /** The version of this format. */
  format: 1
  platform: string
  /** The release of Carillon, and the version of the platform's interface that it used. */
  release: string
  api: string
  day: string
  kinds: readonly string[]
  calls: readonly TranscriptCall[]
}
