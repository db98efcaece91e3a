import { testStack } from '../test-stack.ts'

/** How often the simulated platforms were asked to publish a text, and how often they did. */
export type Submits = { asked: number; carriedOut: number; submits: { platform: string; outcome: string; atMs: number }[] }

/** The calls that tried to publish a text: also those that were refused as a duplicate or whose answer was lost. */
export async function findSubmits(text: string): Promise<Submits> {
  const response = await fetch(`${testStack.simulatorUrl}/_control/submits?text=${encodeURIComponent(text)}`)
  if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`)
  return (await response.json()) as Submits
}
