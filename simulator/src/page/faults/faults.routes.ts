import type { ControlContext } from '../../control/control-route.ts'
import { readFault } from '../../control/read-fault.ts'
import { readTarget } from '../../control/read-target.ts'
import type { Call } from '../../http/call.ts'
import { numberOf, textOf, type Fields } from '../../http/fields.ts'
import { Refusal, type Reply } from '../../http/reply.ts'
import type { PageOptions } from '../layout.ts'
import type { Page } from '../page.ts'
import { faultKinds } from './fault-kinds.data.ts'
import { faultsPage } from './faults-page.ts'

/** Forms that add and remove the same faults as the control interface. */
export function faultPages(control: ControlContext, frame: () => Pick<PageOptions, 'activeFaults' | 'notice'>): Page[] {
  const { faults } = control.simulator
  const show = (values: Fields, error?: string) => faultsPage(control, { values, error }, frame())
  return [
    { method: 'GET', path: '/faults', answer: ({ query }) => show(Object.fromEntries(query)) },
    {
      method: 'POST',
      path: '/faults',
      answer(call) {
        const form = call.fields ?? {}
        if (isForeign(call)) return show(form, foreign)
        const error = addFault(control, form)
        return error === undefined ? backToFaults() : show(form, error)
      },
    },
    {
      method: 'POST',
      path: '/faults/remove',
      answer(call) {
        if (isForeign(call)) return show({}, foreign)
        faults.clear()
        return backToFaults()
      },
    },
    {
      method: 'POST',
      path: '/faults/:id/remove',
      answer(call) {
        if (isForeign(call)) return show({}, foreign)
        faults.remove(call.params['id'] ?? '')
        return backToFaults()
      },
    },
  ]
}

const foreign = 'The request came from another site, so nothing was changed. Use the form on this page.'

/** Browsers name the site that a request comes from. A page of another site must not switch faults. */
function isForeign({ headers }: Call): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** After a form, the browser loads the page anew, so that reloading does not send the form again. */
function backToFaults(): Reply {
  return { status: 303, headers: { location: '/faults' }, body: '' }
}

/** Adds the fault of a form. Returns a sentence if the form is wrong. */
function addFault(control: ControlContext, form: Fields): string | undefined {
  const kind = faultKinds.find(({ name }) => name === form['kind'])
  if (!kind) return 'Choose what happens.'
  const missing = findUnknownAccount(control, form) ?? findBadCount(form) ?? findBadField(kind, form)
  if (missing !== undefined) return missing
  const own = Object.fromEntries(kind.fields.map(({ name }) => [name, filled(form[`${kind.name}.${name}`])]))
  const fault = readFault(kind.toFault(own), control.simulator.now())
  if (!fault) return `The values for "${kind.title}" are not complete.`
  try {
    control.simulator.faults.add(readTarget(control, targetOf(form)), fault)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return `The fault was refused: ${String(error.reply.body)}`
    throw error
  }
}

/** Empty inputs arrive as empty texts, which mean that the person left the choice open. */
function targetOf(form: Fields): Fields {
  return Object.fromEntries(['platform', 'handle', 'operation', 'times', 'skip'].map((name) => [name, filled(form[name])]))
}

function filled(value: unknown): unknown {
  return value === '' ? undefined : value
}

/** A fault for an account that does not exist would never apply, and a person would wait for it. */
function findUnknownAccount({ platforms }: ControlContext, form: Fields): string | undefined {
  const handle = textOf(filled(form['handle']))
  if (handle === undefined) return undefined
  const named = textOf(filled(form['platform']))
  const chosen = [...platforms.values()].filter(({ context }) => named === undefined || context.name === named)
  const isKnown = chosen.some(({ context: { accounts } }) => accounts.find(handle) ?? accounts.findById(handle))
  const where = named === undefined ? 'on any platform' : `on ${platforms.get(named)?.title ?? named}`
  return isKnown
    ? undefined
    : `There is no account "${handle}" ${where}. Choose one of the list, or leave the field empty for every account.`
}

function findBadCount(form: Fields): string | undefined {
  for (const [name, min] of [
    ['times', 1],
    ['skip', 0],
  ] as const) {
    const value = filled(form[name])
    const count = numberOf(value)
    if (value !== undefined && (count === undefined || !Number.isInteger(count) || count < min))
      return `The number of calls must be a whole number of at least ${min}.`
  }
  return undefined
}

function findBadField({ name: kind, fields }: (typeof faultKinds)[number], form: Fields): string | undefined {
  for (const field of fields) {
    const value = filled(form[`${kind}.${field.name}`])
    if (field.type !== 'number' || value === undefined) continue
    const amount = numberOf(value)
    if (amount === undefined || amount < field.min || amount > field.max)
      return `"${field.label}" must be ${field.min} to ${field.max} ${field.unit}.`
  }
  return undefined
}
