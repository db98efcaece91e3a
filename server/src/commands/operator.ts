import { readConfig, type Config } from '../config.ts'
import { nameOperator } from '../features/people/operator/name-operator.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { openContext } from '../open-context.ts'

export const operatorCommand = defineCommand({
  details:
    'Makes a person the operator of this installation, in place of the one before. The operator sees how the whole installation is doing. ' +
    'Without this command it is the person of the first account. CARILLON_OPERATORS, if it is set, counts instead.',
  options: {
    email: requiredText({ placeholder: 'ADDRESS', about: 'The e-mail address of the person.', isWord: true }),
  },
  run: ({ email }) => changeOperator(readConfig(), email),
  present: ({ email, isUsed }) =>
    isUsed
      ? `${email} is the operator of this installation now.`
      : `${email} is stored as the operator, but CARILLON_OPERATORS is set and counts instead.`,
})

async function changeOperator(config: Config, email: string) {
  const { ctx, close } = await openContext(config)
  try {
    return { ...(await nameOperator(ctx, email)), isUsed: config.operators.length === 0 }
  } finally {
    await close()
  }
}
