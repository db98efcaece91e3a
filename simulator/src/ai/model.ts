import { composeValue } from './compose-value.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

type Message = { role: string; content: string }

/** A received request. It includes the API key, so that a test can check whether the key was sent. */
export type ChatCall = {
  authorization: string | undefined
  model: string
  messages: Message[]
  response_format?: { type: string; json_schema?: { schema?: object } }
}

type Choice = { content: string | null; refusal?: string; finishReason: string }

/** A simulated language model. It answers with the scripted answers, and otherwise with a value that satisfies the requested schema. */
export class Model {
  readonly calls: ChatCall[] = []
  readonly #scripted: ScriptedAnswer[] = []

  /** Sets the answers to the next calls, one for each call. */
  next(...answers: readonly ScriptedAnswer[]): void {
    this.#scripted.push(...answers)
  }

  reset(): void {
    this.calls.length = 0
    this.#scripted.length = 0
  }

  /** Records a call and returns its scripted answer, if there is one. */
  record(call: ChatCall): ScriptedAnswer | undefined {
    this.calls.push(call)
    return this.#scripted.shift()
  }
}

/** The body of a chat completion. Tokens are counted as four characters each. */
export function complete(call: ChatCall, scripted: ScriptedAnswer | undefined) {
  const { content, refusal, finishReason } = choose(call, scripted)
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

function choose(call: ChatCall, scripted: ScriptedAnswer | undefined): Choice {
  if (scripted && 'say' in scripted) return { content: scripted.say, finishReason: scripted.finishReason ?? 'stop' }
  if (scripted && 'refuse' in scripted) return { content: null, refusal: scripted.refuse, finishReason: 'stop' }
  const length = scripted && 'length' in scripted ? scripted.length : undefined
  const schema = call.response_format?.json_schema?.schema
  return { content: schema ? JSON.stringify(composeValue(schema, length)) : 'The bells ring at nine.', finishReason: 'stop' }
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
