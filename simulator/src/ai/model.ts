import { compose } from './compose-value.ts'
import type { Turn } from './scripted-answer.ts'

export type Message = { role: string; content: string }

/** A request as it came; the key is kept so that a test can ask whether it was sent. */
export type ChatCall = {
  authorization: string | undefined
  model: string
  messages: Message[]
  response_format?: { type: string; json_schema?: { schema?: object } }
}

type Choice = { content: string | null; refusal?: string; finishReason: string }

/** A language model without a mind: it answers what it was told to say, or else whatever the schema asks for. */
export class Model {
  readonly calls: ChatCall[] = []
  readonly #turns: Turn[] = []

  /** The next calls take these turns, one each. */
  next(...turns: readonly Turn[]): void {
    this.#turns.push(...turns)
  }

  reset(): void {
    this.calls.length = 0
    this.#turns.length = 0
  }

  hear(call: ChatCall): Turn | undefined {
    this.calls.push(call)
    return this.#turns.shift()
  }
}

/** The body of a chat completion, with its tokens counted at four characters each. */
export function complete(call: ChatCall, turn: Turn | undefined) {
  const { content, refusal, finishReason } = choose(call, turn)
  const prompt = tokens(call.messages.map((message) => message.content).join(''))
  const completion = tokens(content ?? refusal ?? '')
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: call.model,
    choices: [{ index: 0, message: { role: 'assistant', content, ...(refusal && { refusal }) }, finish_reason: finishReason }],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  }
}

function choose(call: ChatCall, turn: Turn | undefined): Choice {
  if (turn && 'say' in turn) return { content: turn.say, finishReason: turn.finishReason ?? 'stop' }
  if (turn && 'refuse' in turn) return { content: null, refusal: turn.refuse, finishReason: 'stop' }
  const length = turn && 'length' in turn ? turn.length : undefined
  const schema = call.response_format?.json_schema?.schema
  return { content: schema ? JSON.stringify(compose(schema, length)) : 'The bells ring at nine.', finishReason: 'stop' }
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
