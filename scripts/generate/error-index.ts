import { channelErrors, requestErrors } from '../../contract/src/errors.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

/** The list of all error codes, with links to the pages that explain them. */
export const errorIndex: FileGenerator = {
  name: 'error index',
  make: () => [{ path: 'docs/errors/README.md', text: `${page().join('\n')}\n` }],
}

function page(): string[] {
  return [
    `<!-- ${generatedFrom('contract/src/errors.ts')} -->`,
    '# Errors',
    '',
    'Every error has a `code` whose meaning never changes, a message for people, an `action` and a `traceId`. Decide by the code if you know',
    'it, otherwise by `action` and the HTTP status: new codes may be added.',
    '',
    '| `action` | What to do next |',
    '|---|---|',
    '| `fix_request` | Change the request; the same request will be refused again |',
    '| `reconnect` | Connect the account again under Integrations |',
    '| `upgrade_plan` | Choose a larger plan, or wait for the next month |',
    '| `wait` | Wait for the time in `Retry-After`, then send the same request again |',
    '| `retry` | Send the same request again |',
    '| `check_platform` | Look at the platform itself before you do anything |',
    '| `contact_support` | Contact the operator of your Carillon server and give the `traceId` |',
    '',
    '## A request is refused',
    '',
    '| Code | Status | Action | Can the same request succeed later? | Message |',
    '|---|---|---|---|---|',
    ...Object.entries(requestErrors).map(
      ([code, { status, action, retryable, message }]) =>
        `| [\`${code}\`](${code}.md) | ${status} | \`${action}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
    '',
    '## A channel fails',
    '',
    'The request was accepted, and one platform did not publish. The code is in `channels[].result.error.code`.',
    '',
    '| Code | Action | Can a retry succeed? | Message |',
    '|---|---|---|---|',
    ...Object.entries(channelErrors).map(
      ([code, { action, retryable, message }]) =>
        `| [\`${code}\`](${code}.md) | \`${action}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
  ]
}
