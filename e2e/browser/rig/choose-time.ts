import type { Locator, Page } from 'playwright-core'

/** The fields of a day, a time and a zone in the composer, the dialog that moves posts and the settings: by the names that they have in English. */
function timeFields(scope: Page | Locator) {
  return {
    // On a phone these are fields of the browser. Both kinds take the day as 2027-03-28.
    day: scope.getByRole('textbox', { name: 'Day', exact: true }),
    time: scope
      .getByRole('textbox', { name: 'Time', exact: true })
      .or(scope.getByRole('combobox', { name: 'Time', exact: true })),
    zone: scope.getByRole('combobox', { name: 'Time zone', exact: true }),
  }
}

type Wanted = { day?: string; time?: string; zone?: string }

/** Fills in these fields as a person does who types. A zone is found by what was typed, and the first that is found is taken. */
export async function chooseTime(scope: Page | Locator, wanted: Wanted): Promise<void> {
  const fields = timeFields(scope)
  if (wanted.day !== undefined) await fields.day.fill(wanted.day)
  if (wanted.time !== undefined) await fields.time.fill(wanted.time)
  if (wanted.zone === undefined) return
  await fields.zone.click()
  await fields.zone.pressSequentially(wanted.zone)
  await fields.zone.press('Enter')
}
