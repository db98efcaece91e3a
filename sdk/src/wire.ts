import createClient, { type Client } from 'openapi-fetch'
import type { CallOptions } from './operation.ts'
import { readError } from './read-error.ts'
import type { paths } from './schema.gen.ts'
import { sendWithRetries, type RetryPolicy } from './send-with-retries.ts'

export type WireOptions = RetryPolicy & { baseUrl: string; apiKey: string | undefined; workspaceId: string | undefined }

/** What a generated method adds to its request: how to send it, and for which workspace. */
export type Call = {
  init: { fetch: (request: Request) => Promise<Response>; headers: Record<string, string>; signal?: AbortSignal }
  inWorkspace: () => { 'X-Workspace-Id': string }
}

// A field that can only be null is lost in openapi-fetch's types, so the data may be missing from them.
type Answer<Data> = { data?: { success: true; data?: Data }; error?: unknown; response: Response }
type TextAnswer = { data?: string; error?: unknown; response: Response }

export type Wire = {
  client: Client<paths>
  /** Runs one call, and gives what is inside the envelope or throws a CarillonError. */
  send: <Data>(options: CallOptions | undefined, run: (call: Call) => Promise<Answer<Data>>) => Promise<Data>
  /** The same for an answer that is a text file. */
  sendForText: (options: CallOptions | undefined, run: (call: Call) => Promise<TextAnswer>) => Promise<string>
}

export function createWire({ baseUrl, apiKey, workspaceId, ...policy }: WireOptions): Wire {
  const client = createClient<paths>({ baseUrl, ...(apiKey !== undefined && { headers: { Authorization: `Bearer ${apiKey}` } }) })

  function callWith(options: CallOptions, note: (response: Response) => void): Call {
    const { signal, idempotencyKey, timeoutMs = policy.timeoutMs } = options
    return {
      init: {
        async fetch(request) {
          const response = await sendWithRetries(request, { ...policy, timeoutMs })
          note(response)
          return response
        },
        headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
        ...(signal && { signal }),
      },
      inWorkspace() {
        const id = options.workspaceId ?? workspaceId
        if (id === undefined) throw new TypeError('Say which workspace: give workspaceId to createCarillon or to this call.')
        return { 'X-Workspace-Id': id }
      },
    }
  }

  return {
    client,
    async send(options, run) {
      const answers: Response[] = []
      const call = callWith(options ?? {}, (response) => answers.push(response))
      const { data, error, response } = await run(call).catch((cause: unknown) => {
        const [answered] = answers
        // A success that is not JSON: somebody else's page.
        throw cause instanceof SyntaxError && answered ? readError(answered, null) : cause
      })
      if (data?.success !== true || data.data === undefined) throw readError(response, error)
      return data.data
    },
    async sendForText(options, run) {
      const { data, error, response } = await run(callWith(options ?? {}, () => {}))
      if (data === undefined) throw readError(response, error)
      return data
    },
  }
}
