import type { Context } from '../../context.ts'

/** Of how many webhooks this process remembers that their endpoints answer promptly. */
const rememberedMax = 10_000

function createPromptWebhooks() {
  return { value: new Set<string>() }
}

/** Remembers whether the endpoint accepted its last delivery promptly. Such an endpoint gets more deliveries at a time. */
export function rememberEndpoint(ctx: Context, webhookId: string, { isPrompt }: { isPrompt: boolean }): void {
  const prompt = ctx.resources.get(createPromptWebhooks, ctx)
  prompt.delete(webhookId)
  if (!isPrompt) return
  prompt.add(webhookId)
  const [oldest] = prompt
  if (prompt.size > rememberedMax && oldest !== undefined) prompt.delete(oldest)
}

/** Only what this process has seen itself: with several workers each learns on its own, and after a restart none is known. */
export function listPromptWebhooks(ctx: Context): string[] {
  return [...ctx.resources.get(createPromptWebhooks, ctx)]
}
