/** Whether the address answers with a status of success. */
export async function respondsOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' })
  await response.body?.cancel()
  return response.ok
}
