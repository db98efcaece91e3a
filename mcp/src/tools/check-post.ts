import { Type } from 'typebox'
import { postFields, toPostBody } from '../post-input.ts'
import { defineTool, readOnly } from '../tool.ts'
import { cleanText } from '../words/third-party.ts'

const issuesMax = 40

export const checkPost = defineTool({
  name: 'check_post',
  title: 'Check a post',
  description:
    'Checks a post against the rules of every account, without storing or publishing anything. Call it before publish_post. Returns what must be changed.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(postFields, { additionalProperties: false }),
  output: { valid: Type.Boolean(), issues: Type.Array(Type.Object({ blocking: Type.Boolean(), message: Type.String() })) },
  async run(input, { desk: { carillon } }) {
    const { valid, issues } = await carillon.content.validate(await toPostBody(input, carillon.media))
    const blocking = issues.filter((issue) => issue.blocking).length
    return {
      summary: valid
        ? `CHECKED: this post can be published${issues.length > 0 ? `, with ${issues.length} warnings` : ''}. Nothing was published or stored.`
        : `CHECKED: this post cannot be published as it is, ${blocking} problems. Nothing was published or stored.`,
      next: valid
        ? 'Show the person the text, the accounts and the time, then call publish_post with the same content.'
        : 'Change what blocks, and check again.',
      valid,
      issues: issues
        .toSorted((a, b) => Number(b.blocking) - Number(a.blocking))
        .slice(0, issuesMax)
        .map((issue) => ({
          blocking: issue.blocking,
          message: cleanText(`${issue.path}: ${issue.message}`, { max: 300 }),
        })),
    }
  },
})
