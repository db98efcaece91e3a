import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  extractJsonMiddleware,
  generateText,
  jsonSchema,
  NoObjectGeneratedError,
  Output,
  RetryError,
  wrapLanguageModel,
  type JSONSchema7,
  type LanguageModelUsage,
} from 'ai'
import type { AiConfig } from '../../config.ts'
import { problem, type Problem } from '../../infra/problem/problem.ts'

export type Prompt = {
  /** Written by us. They must not contain text from a user. */
  instructions: string
  /** Text from users and facts about it. The model receives it as one JSON text. */
  data: unknown
  /** The fields of the JSON object the model must answer with. */
  fields: Readonly<Record<string, JSONSchema7>>
}

/** `fields` is null if the answer is not a JSON object. Its values are not validated. */
type ModelAnswer = { fields: Record<string, unknown> | null; isRefusal: boolean; tokens: number }

export type Model = { ask(prompt: Prompt, signal: AbortSignal): Promise<ModelAnswer> }

const retryAfterMaxSeconds = 3600

/** `ask` throws `ai_unavailable` if the model does not answer. An unusable answer is returned, not thrown. */
export function openModel(config: AiConfig): Model {
  // The SDK would write warnings to standard error with every call; we only write to our log.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const provider = createOpenAICompatible({
    name: 'configured',
    baseURL: config.url,
    ...(config.key !== null && { apiKey: config.key }),
    supportsStructuredOutputs: config.json === 'schema',
  })
  const model = wrapLanguageModel({ model: provider(config.model), middleware: extractJsonMiddleware() })
  return {
    async ask({ instructions, data, fields }, signal) {
      const schema = objectSchema(fields)
      try {
        // No temperature and no token limit, because newer models reject one or the other. The timeout limits the cost.
        const { finishReason, totalUsage, output } = await generateText({
          model,
          instructions: `${instructions}\n\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(schema)}`,
          prompt: JSON.stringify(data),
          output: Output.object({ schema: jsonSchema<Record<string, unknown>>(schema, { validate: readObject }) }),
          maxRetries: 1,
          abortSignal: signal,
        }).then(readOutput)
        return { fields: output, isRefusal: finishReason === 'content-filter', tokens: tokensOf(totalUsage) }
      } catch (error) {
        if (!NoObjectGeneratedError.isInstance(error)) throw modelProblem(error, signal)
        return { fields: null, isRefusal: error.finishReason === 'content-filter', tokens: tokensOf(error.usage) }
      }
    },
  }
}

type Generated = { finishReason: string; totalUsage: LanguageModelUsage; output: Record<string, unknown> }

/** Reading `output` of an incomplete answer throws, so it is read only if the model finished. */
function readOutput(result: Generated): Omit<Generated, 'output'> & { output: Record<string, unknown> | null } {
  const { finishReason, totalUsage } = result
  return { finishReason, totalUsage, output: finishReason === 'stop' ? result.output : null }
}

function objectSchema(properties: Prompt['fields']): JSONSchema7 {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Accepts any object: a field that is missing or wrong must not make the others unusable. */
function readObject(value: unknown) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject
    ? { success: true as const, value: value as Record<string, unknown> }
    : { success: false as const, error: new Error('not a JSON object') }
}

function tokensOf(usage: LanguageModelUsage | undefined): number {
  return usage?.totalTokens ?? (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
}

/**
 * The problem for a model that gave no answer. The SDK's errors contain the whole request, and providers repeat keys and texts in their
 * messages. So neither is passed on: the log gets only the kind of failure.
 */
function modelProblem(error: unknown, signal: AbortSignal): Problem {
  if (signal.aborted)
    return problem('ai_unavailable', {
      message: 'The AI model took too long to answer; try again.',
      cause: new Error('the AI provider did not answer in time'),
    })
  const last = RetryError.isInstance(error) ? error.lastError : error
  const status = APICallError.isInstance(last) ? last.statusCode : undefined
  if (status === 429) {
    const seconds = APICallError.isInstance(last) ? Number(last.responseHeaders?.['retry-after']) : Number.NaN
    return problem('ai_unavailable', {
      message: 'The AI model is busy; try again shortly.',
      ...(seconds >= 1 && { retryAfterSeconds: Math.min(Math.ceil(seconds), retryAfterMaxSeconds) }),
      cause: new Error('the AI provider answered 429'),
    })
  }
  const kind = last instanceof Error ? last.name : typeof last
  const cause = new Error(
    status === undefined ? `the AI provider gave no answer (${kind})` : `the AI provider answered ${status}`,
  )
  return problem('ai_unavailable', { cause })
}
