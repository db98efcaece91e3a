import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { world } from '../world.ts'

/** What the service asked its language model, as the model heard it. */
export type ModelCall = { messages: { role: string; content: string }[] }

const { ports } = JSON.parse(readFileSync(join(world.dir, 'kept.json'), 'utf8')) as { ports: { model: number } }
const control = `http://127.0.0.1:${ports.model}/_control`

/** How the model answers the next calls; `{length}` makes every text as long as that. */
export async function tellModel(...turns: object[]): Promise<void> {
  const response = await fetch(`${control}/turns`, { method: 'POST', body: JSON.stringify(turns) })
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
}

/** What it was asked last, as one text. */
export async function lastQuestion(): Promise<string> {
  const calls = (await (await fetch(`${control}/calls`)).json()) as ModelCall[]
  return (calls.at(-1)?.messages ?? []).map(({ content }) => content).join('\n')
}
