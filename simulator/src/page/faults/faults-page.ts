import type { ControlContext } from '../../control/control-route.ts'
import { textOf, type Fields } from '../../http/fields.ts'
import type { Reply } from '../../http/reply.ts'
import { isUsedUp, type FaultRule } from '../../state/faults.ts'
import { markup, type Markup } from '../../text/markup.ts'
import { page, type PageOptions } from '../layout.ts'
import { describeRule } from './describe-rule.ts'
import { faultKinds, operationLabels, type FaultField, type FaultKind } from './fault-kinds.data.ts'

const handlesMax = 200

type Form = {
  /** What the form contains; after an error, what was sent. */
  values: Fields
  error?: string | undefined
}

/** The page on which a person switches faults on and off. */
export function faultsPage(
  control: ControlContext,
  { values, error }: Form,
  frame: Pick<PageOptions, 'activeFaults' | 'notice'>,
): Reply {
  const body = markup`<main class="faults">
<h1>Faults</h1>
<p class="lead">Let a simulated platform fail, and see what Carillon does. The first fault in the list that fits a call applies to it.
Faults end when the simulator stops.</p>
${activeHtml(control)}
${error !== undefined && markup`<p class="notice error" role="alert">${error}</p>`}
${formHtml(control, values)}
</main>`
  return page({ title: 'Faults', body, status: error === undefined ? 200 : 400, current: 'faults', ...frame })
}

function activeHtml({ simulator, platforms }: ControlContext): Markup {
  const rules = simulator.faults.all()
  if (rules.length === 0)
    return markup`<section aria-label="Active faults"><p class="empty">No fault is active: every call is answered as usual.</p></section>`
  const row = (rule: FaultRule) => {
    const { where, what, until } = describeRule(rule, platforms)
    const isOver = isUsedUp(rule)
    return markup`<li class="rule ${isOver && 'over'}"><div><b>${what}</b><span>${where}</span>
<small class="quiet">${isOver && markup`<span class="tag">Over</span> `}${until}</small></div>
<form method="post" action="/faults/${rule.id}/remove"><button class="plain">${isOver ? 'Remove' : 'Switch off'}</button></form></li>`
  }
  return markup`<section aria-label="Active faults"><ul class="rules">${rules.map(row)}</ul>
${rules.length > 1 && markup`<form method="post" action="/faults/remove"><button class="plain">Switch all off</button></form>`}</section>`
}

function formHtml({ platforms }: ControlContext, values: Fields): Markup {
  const chosen = textOf(values['kind']) ?? 'status'
  const titles = new Map([...platforms.values()].map(({ context, title }) => [context.name, title]))
  const handles = new Set(
    [...platforms.values()].flatMap(({ context }) => context.accounts.all().slice(0, handlesMax)).map(({ handle }) => handle),
  )
  const options = [...handles].slice(0, handlesMax).map((handle) => markup`<option value="${handle}"></option>`)
  return markup`<form method="post" action="/faults" class="panel fault-form">
<h2>Switch on a fault</h2>
<div class="fields">
<label>Platform ${selectHtml('platform', new Map([['', 'Every platform'], ...titles]), textOf(values['platform']) ?? '')}</label>
<label>Account <input name="handle" list="handles" placeholder="every account" autocomplete="off" value="${textOf(values['handle']) ?? ''}"></label>
<datalist id="handles">${options}</datalist>
<label>How many calls <input name="times" type="number" min="1" max="1000000" placeholder="until switched off" value="${textOf(values['times']) ?? ''}"></label>
<label class="wide">Calls ${selectHtml('operation', new Map(Object.entries(operationLabels)), textOf(values['operation']) ?? 'submit')}</label>
<label>After this many that succeed <input name="skip" type="number" min="0" max="1000000" placeholder="0" value="${textOf(values['skip']) ?? ''}"></label>
</div>
<fieldset class="kinds"><legend>What happens</legend>${faultKinds.map((kind) => kindHtml(kind, chosen, values))}</fieldset>
<p><button>Switch on</button></p>
</form>`
}

function kindHtml({ name, title, text, effect, fields }: FaultKind, chosen: string, values: Fields): Markup {
  const id = `kind-${name}`
  const isChosen = chosen === name
  const inputs = fields.map((field) => fieldHtml(`${name}.${field.name}`, field, isChosen ? values : {}))
  return markup`<div class="kind"><input type="radio" name="kind" id="${id}" value="${name}" aria-describedby="${id}-text"
 ${isChosen && markup`checked`}>
<div><label for="${id}">${title}</label><p id="${id}-text">${text} <span class="quiet">${effect}</span></p>
${inputs.length > 0 && markup`<div class="fields">${inputs}</div>`}</div></div>`
}

function fieldHtml(name: string, field: FaultField, values: Fields): Markup {
  const sent = textOf(values[name])
  switch (field.type) {
    case 'number':
      return markup`<label>${field.label} <input type="number" name="${name}" min="${field.min}" max="${field.max}"
 value="${sent ?? field.value}"> ${field.unit}</label>`
    case 'choice':
      return markup`<label>${field.label} ${selectHtml(name, new Map(Object.entries(field.choices)), sent ?? field.value)}</label>`
    case 'flag':
      return markup`<label class="flag"><input type="checkbox" name="${name}" ${sent !== undefined && markup`checked`}> ${field.label}</label>`
  }
}

function selectHtml(name: string, choices: ReadonlyMap<string, string>, chosen: string): Markup {
  const options = [...choices].map(
    ([value, label]) => markup`<option value="${value}" ${value === chosen && markup`selected`}>${label}</option>`,
  )
  return markup`<select name="${name}">${options}</select>`
}
