import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  extractJsonMiddleware,
  generateText,
  jsonSchema,
  NoObjectGeneratedError,
  Output,
  wrapLanguageModel,
  type JSONSchema7,
  type LanguageModelUsage,
} from 'ai'
import type { AiConfig } from '../../config.ts'
import { modelProblem } from './model-problem.ts'

export type Question = {
  /** Ours alone. Nothing a user wrote belongs here. */
  instructions: string
  /** What users wrote and what it is about; it reaches the model as one JSON text. */
  data: unknown
  /** The fields of the JSON object the model must answer with. */
  fields: Readonly<Record<string, JSONSchema7>>
}

/** `fields` is null when the answer is not a JSON object; what is in it has not been checked. */
export type Told = { fields: Record<string, unknown> | null; isRefusal: boolean; tokens: number }

export type Model = { ask(question: Question, signal: AbortSignal): Promise<Told> }

/** Built once. Throws `ai_unavailable` when there is no answer; a useless answer is an answer. */
export function openModel(config: AiConfig): Model {
  // The SDK warns on standard error with every call; our log is the only place for what happens here.
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
        // No temperature and no token limit: newer models refuse one or the other. The time limit bounds the cost.
        const { finishReason, totalUsage, output } = await generateText({
          model,
          instructions: `${instructions}\n\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(schema)}`,
          prompt: JSON.stringify(data),
          output: Output.object({ schema: jsonSchema<Record<string, unknown>>(schema, { validate: readObject }) }),
          maxRetries: 1,
          abortSignal: signal,
        }).then(readable)
        return { fields: output, isRefusal: finishReason === 'content-filter', tokens: tokensOf(totalUsage) }
      } catch (error) {
        if (!NoObjectGeneratedError.isInstance(error)) throw modelProblem(error, signal)
        return { fields: null, isRefusal: error.finishReason === 'content-filter', tokens: tokensOf(error.usage) }
      }
    },
  }
}

type Generated = { finishReason: string; totalUsage: LanguageModelUsage; output: Record<string, unknown> }

/** The output may only be read of an answer that came to its end. */
function readable(result: Generated): Omit<Generated, 'output'> & { output: Record<string, unknown> | null } {
  const { finishReason, totalUsage } = result
  return { finishReason, totalUsage, output: finishReason === 'stop' ? result.output : null }
}

function objectSchema(properties: Question['fields']): JSONSchema7 {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Lenient: one field that is missing or wrong must not cost the others. */
function readObject(value: unknown) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject
    ? { success: true as const, value: value as Record<string, unknown> }
    : { success: false as const, error: new Error('not a JSON object') }
}

function tokensOf(usage: LanguageModelUsage | undefined): number {
  return usage?.totalTokens ?? (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
}
