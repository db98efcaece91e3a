import { fromJsonSchema, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server'

const askFirst = 'Publish and schedule nothing before I have said yes to the exact texts, accounts and times.'

/** What people often want, as a client can offer it. Few clients show them, so there are only three. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'plan_week',
    {
      title: 'Plan the posts of a week',
      description: 'Looks at what is scheduled and how earlier posts did, and saves drafts for the next seven days.',
      argsSchema: fromJsonSchema<{ topic?: string }>({
        type: 'object',
        properties: { topic: { type: 'string', description: 'What the posts are about' } },
      }),
    },
    ({ topic }) =>
      ask(
        `Plan my posts for the next seven days${topic ? `, about: ${topic}` : ''}. Call get_context, then list_posts with the status scheduled, and get_figures ` +
          `of the last 30 days. Suggest at most one post a day at a time that is still free, each checked with check_post, and save them with save_draft. ${askFirst}`,
      ),
  )
  server.registerPrompt(
    'adapt_for_each_platform',
    {
      title: 'Adapt a text for each account',
      description: 'Writes a version of a text for each account that fits its limits and its readers, and saves one draft.',
      argsSchema: fromJsonSchema<{ text: string }>({
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', description: 'The text to adapt' } },
      }),
    },
    ({ text }) =>
      ask(
        `Adapt this text for each of my accounts, with perAccount in one post. Call get_context for the accounts and their limits, check it with check_post and save ` +
          `it with save_draft. ${askFirst} The text:\n\n${text}`,
      ),
  )
  server.registerPrompt(
    'what_failed',
    { title: 'What failed', description: 'Explains which posts failed or are unknown, and what to do about each.' },
    () =>
      ask(
        'Call list_posts with the statuses failed and partial_failure, then get_post for each, at most ten. Tell me for each account what happened and what I can do. ' +
          'Retry nothing before I have said yes, and never what is UNKNOWN.',
      ),
  )
}

function ask(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
