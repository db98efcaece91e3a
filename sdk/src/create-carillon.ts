import { createMethods } from './methods.gen.ts'
import { uploadFile } from './upload-file.ts'
import { waitUntilFinished } from './wait-until-finished.ts'
import { createWire } from './wire.ts'

export type CarillonOptions = {
  /** The address of your Carillon with its `/api`, for example `https://carillon.example/api`. */
  baseUrl: string
  /** Left out, the browser's session cookie speaks for you. */
  apiKey?: string
  /** Needed for everything but the workspaces themselves; a call can name another. */
  workspaceId?: string
  fetch?: (request: Request) => Promise<Response>
  /** How often a failed call is repeated at most; 3 unless given, 0 for never. */
  retries?: number
  /** The wait before the first repeat, doubled each time; 250 unless given. */
  retryDelayMs?: number
  /** For each attempt; 60,000 unless given. */
  timeoutMs?: number
}

export type Carillon = ReturnType<typeof createCarillon>

/** A client with one method for every operation of the API, and a few that put several together. */
export function createCarillon(options: CarillonOptions) {
  const { baseUrl, apiKey, workspaceId, retries = 3, retryDelayMs = 250, timeoutMs = 60_000 } = options
  // Looked up at each call, so that a fetch replaced later (by a test or by tracing) is the one used.
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const policy = { fetch, retries, retryDelayMs, timeoutMs }
  const methods = createMethods(createWire({ baseUrl, apiKey, workspaceId, ...policy }))
  return {
    ...methods,
    content: { ...methods.content, waitUntilFinished: waitUntilFinished(methods.content.status) },
    media: { ...methods.media, uploadFile: uploadFile(methods.media, policy) },
  }
}
