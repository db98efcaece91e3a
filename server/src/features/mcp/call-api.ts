import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Carries requests of the SDK to the routes of this same process. Nothing is added to them: the key in their header is the one that the
 * caller sent, so a tool can do what that key can do at the API and nothing else.
 */
export function callApi(app: FastifyInstance, { ip }: FastifyRequest): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const answered = await app.inject({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(body.length > 0 && { payload: body }),
      remoteAddress: ip,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answered.headers))
      for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
    const { rawPayload, statusCode: status } = answered
    return new Response(rawPayload.length > 0 ? new Uint8Array(rawPayload) : null, { status, headers })
  }
}
