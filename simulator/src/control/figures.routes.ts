import { numberOf, textOf, type Fields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import { figureNames, type Figures } from '../state/entities.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf, loadPlatform } from './load-account.ts'

/** Sets likes, shares and other figures of a post; figures that are not given keep their value. */
export function figureRoutes(control: ControlContext): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/figures',
      answer(call) {
        const fields = bodyOf(call)
        const { name } = loadPlatform(control, fields['platform']).context
        const [id, text] = [textOf(fields['id']), textOf(fields['text'])]
        if (id === undefined && text === undefined) throw refuse(400, { error: 'name the post by id or text' })
        const post = control.simulator.posts
          .all()
          .findLast((each) => each.platform === name && (id === undefined ? each.text === text : each.id === id))
        if (!post) throw refuse(404, { error: `no such post on ${name}` })
        post.figures = { ...post.figures, ...readFigures(fields) }
        return json(200, { id: post.id, figures: post.figures })
      },
    },
  ]
}

function readFigures(fields: Fields): Figures {
  const figures: Figures = {}
  for (const name of figureNames) {
    const value = fields[name]
    if (value === undefined) continue
    const count = numberOf(value)
    if (count === undefined || !Number.isInteger(count) || count < 0) throw refuse(400, { error: `${name} must be a count` })
    figures[name] = count
  }
  return figures
}
