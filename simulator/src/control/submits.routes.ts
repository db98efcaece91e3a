import { json } from '../http/reply.ts'
import { isCarriedOut, type Submit } from '../state/submits.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'

export function submitRoutes({ simulator: { submits }, platforms }: ControlContext): ControlRoute[] {
  const isOf = ({ platform, account }: Submit, name: string) =>
    account === name || (account !== null && platforms.get(platform)?.context.accounts.find(account)?.id === name)

  return [
    {
      method: 'GET',
      path: '/submits',
      answer({ query }) {
        const filters = readFilters(query)
        const account = query.get('account') ?? query.get('handle')
        const prefix = query.get('prefix') ?? ''
        const wanted = submits
          .all()
          .filter(
            (submit) =>
              filters.every(({ name, value }) => submit[name] === value) &&
              (account === null || isOf(submit, account)) &&
              submit.text.startsWith(prefix),
          )
        return json(200, { asked: wanted.length, carriedOut: wanted.filter(isCarriedOut).length, submits: wanted })
      },
    },
    {
      method: 'DELETE',
      path: '/submits',
      answer() {
        submits.clear()
        return json(200, { ok: true })
      },
    },
  ]
}

const filterNames = ['platform', 'text', 'operation', 'key', 'outcome'] as const

function readFilters(query: URLSearchParams): { name: (typeof filterNames)[number]; value: string }[] {
  return filterNames.flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [{ name, value }]
  })
}
