import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testStack } from '../test-stack.ts'

/** A request of the service, as the fake language model received it. */
type ModelCall = { messages: { role: string; content: string }[] }

const { ports } = JSON.parse(readFileSync(join(testStack.dir, 'kept.json'), 'utf8')) as { ports: { model: number } }
const control = `http://127.0.0.1:${ports.model}/_control`

/** Sets how the model answers the next calls. `{length}` makes every text that long. */
export async function setModelAnswers(...turns: object[]): Promise<void> {
  const response = await fetch(`${control}/turns`, { method: 'POST', body: JSON.stringify(turns) })
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
}

/** The messages of the last request, as one text. */
export async function readLastPrompt(): Promise<string> {
  const calls = (await (await fetch(`${control}/calls`)).json()) as ModelCall[]
  return (calls.at(-1)?.messages ?? []).map(({ content }) => content).join('\n')
}
