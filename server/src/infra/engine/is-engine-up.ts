import { request } from 'undici'

const timeoutMs = 2_000

/** True if the engine answers at the address where it accepts work. */
export async function isEngineUp(ingressUrl: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${ingressUrl}/restate/health`, { signal: AbortSignal.timeout(timeoutMs) })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
