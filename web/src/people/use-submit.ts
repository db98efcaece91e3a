import { CarillonError } from '@carillon/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'

type Values = Record<string, string>

/**
 * A small form: reads its fields, sends them once, and keeps what was typed when it is refused.. `run`
 * receives the texts of the fields by name.
 */
export function useSubmit<Result>(run: (values: Values) => Promise<Result>, onDone: (result: Result, values: Values) => void) {
  const [sent, setSent] = useState<Values>({})
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: (result, values) => onDone(result, values),
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : ''])
    const values: Values = Object.fromEntries(entries)
    setSent(values)
    mutate(values)
  }
  return { onSubmit, isPending, error, reset, sent, fieldErrors: fieldErrorsOf(error) }
}

/** What the server says about single fields, by their names. */
function fieldErrorsOf(error: unknown): Values {
  if (!(error instanceof CarillonError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]))
}
