import { createClient, describeApp, endsAfterAWeek, googleApp, publishApp, redirectMismatch, verifyApp } from '../google/guide.ts'
import { serviceText, type Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing works before Google has approved your project: until then its quota is 0, so not even the list of locations can be read. The form wants a business profile that is verified, active for 60 days, and has a website.',
    de: 'Vor der Freigabe deines Projekts durch Google geht nichts: Bis dahin ist sein Kontingent 0, nicht einmal die Liste der Standorte ist lesbar. Das Formular verlangt ein Unternehmensprofil, das bestätigt und seit 60 Tagen aktiv ist und eine Website hat.',
  },
  facts: {
    who: {
      en: 'Nobody. With approval up to 100 people in all, who see a warning that Google has not verified the app',
      de: 'Niemand. Mit Freigabe bis zu 100 Personen insgesamt, die den Hinweis sehen, dass Google die App nicht überprüft hat',
    },
    money: {
      en: 'None. The quota of an approved project: 300 calls a minute for each API',
      de: 'Keine. Das Kontingent eines freigegebenen Projekts: 300 Aufrufe in der Minute für jede API',
    },
    wait: {
      en: 'Google names no time for the approval. Verification of the app: weeks',
      de: 'Für die Freigabe nennt Google keine Zeit. Überprüfung der App: Wochen',
    },
    ends: {
      en: 'When the person takes the permission back or is no longer a manager of the profile, after six months without use, with the 101st permission for the same account, and after seven days while the app is in testing.',
      de: 'Wenn die Person die Berechtigung zurücknimmt oder das Profil nicht mehr verwaltet, nach sechs Monaten ohne Nutzung, mit der 101. Berechtigung für dasselbe Konto, und nach sieben Tagen, solange die App im Test ist.',
    },
  },
  app: googleApp,
  steps: [
    {
      title: { en: 'Create the project', de: 'Projekt anlegen' },
      text: [
        {
          en: 'At console.cloud.google.com: *New project*, and note its *Project number*. The project of YouTube can serve both.',
          de: 'Auf console.cloud.google.com: *New project*, und notiere seine *Project number*. Das Projekt von YouTube kann beiden dienen.',
        },
      ],
    },
    {
      title: { en: 'Apply for access', de: 'Zugang beantragen' },
      text: [
        {
          en: 'At support.google.com/business/contact/api_default choose *Application for Basic API Access*, signed in with an address that is an owner or manager of a profile (yours or a customer’s) which is verified, active for 60 days and has a website. Enter the project number. Do not apply twice. On *APIs & Services → Quotas*, 300 calls a minute instead of 0 mean that it is approved.',
          de: 'Wähle auf support.google.com/business/contact/api_default *Application for Basic API Access*, angemeldet mit einer Adresse, die Inhaberin oder Verwalterin eines Profils ist (eures oder das einer Kundin), das bestätigt und seit 60 Tagen aktiv ist und eine Website hat. Trage die Nummer des Projekts ein. Stelle den Antrag nicht zweimal. Wenn unter *APIs & Services → Quotas* 300 statt 0 Aufrufe in der Minute stehen, ist er bewilligt.',
        },
      ],
      values: ['website'],
      paste: [serviceText],
    },
    {
      title: { en: 'Enable the APIs', de: 'APIs einschalten' },
      text: [
        {
          en: '*APIs & Services → Library*: enable the *My Business Account Management API*, the *My Business Business Information API* and the *Google My Business API*. The last one has the posts, and appears only after the approval.',
          de: '*APIs & Services → Library*: Schalte die *My Business Account Management API*, die *My Business Business Information API* und die *Google My Business API* ein. Die letzte hat die Beiträge und erscheint erst nach der Freigabe.',
        },
      ],
    },
    describeApp,
    {
      title: { en: 'Add the permission', de: 'Berechtigung hinzufügen' },
      text: [
        {
          en: '*Data Access → Add or remove scopes*: add this one. There is no smaller one that allows posts.',
          de: '*Data Access → Add or remove scopes*: füge diese hinzu. Eine kleinere, die Beiträge erlaubt, gibt es nicht.',
        },
      ],
      values: ['scopes'],
    },
    publishApp,
    createClient,
  ],
  review: {
    intro: {
      en: 'For more than 100 people, and without the warning: Google verifies the app. That does not replace the access to the APIs.',
      de: 'Für mehr als 100 Personen und ohne den Hinweis: Google überprüft die App. Das ersetzt nicht den Zugang zu den APIs.',
    },
    steps: [
      verifyApp({
        label: { en: 'business.manage', de: 'business.manage' },
        text: 'When a manager of a business profile presses Publish or the time they chose comes, {name} creates the post they approved on the location they chose, with its text, photo, button, event or offer. It lists the locations of the manager so that they can choose one, reads the state of these posts to show it to them, and deletes a post when they ask for it. No smaller permission allows posts.',
      }),
    ],
  },
  problems: [
    {
      sign: {
        en: '“There is no page that this account may publish to” although there are locations',
        de: '„Keine Seite, auf der dieses Konto veröffentlichen darf“, obwohl es Standorte gibt',
      },
      cure: {
        en: 'The quota of the project is 0, so nothing can be listed: see *APIs & Services → Quotas*. With a quota, the person is no owner or manager of a profile.',
        de: 'Das Kontingent des Projekts ist 0, also lässt sich nichts auflisten: siehe *APIs & Services → Quotas*. Mit Kontingent verwaltet die Person kein Profil.',
      },
    },
    {
      sign: { en: '`SERVICE_DISABLED`', de: '`SERVICE_DISABLED`' },
      cure: {
        en: 'Enable the *Google My Business API* in the project of the client. Some approved projects do not find it; only Google can help then.',
        de: 'Schalte die *Google My Business API* im Projekt des Clients ein. Manche freigegebene Projekte finden sie nicht; dann hilft nur Google.',
      },
    },
    {
      sign: { en: 'A post is `REJECTED`', de: 'Ein Beitrag ist `REJECTED`' },
      cure: {
        en: 'Google reviewed it and names no reason. Frequent ones: a telephone number in the text (use the button that calls), the same text again, or a topic that is not about the business.',
        de: 'Google hat ihn geprüft und nennt keinen Grund. Häufige: eine Telefonnummer im Text (nimm die Schaltfläche, die anruft), derselbe Text noch einmal, oder ein Thema, das nicht das Unternehmen betrifft.',
      },
    },
    {
      sign: { en: '`PERMISSION_DENIED`', de: '`PERMISSION_DENIED`' },
      cure: {
        en: 'The person no longer manages the profile, or the profile is not verified.',
        de: 'Die Person verwaltet das Profil nicht mehr, oder das Profil ist nicht bestätigt.',
      },
    },
    endsAfterAWeek,
    redirectMismatch,
  ],
  sources: [
    { url: 'https://developers.google.com/my-business/content/prereqs', on: '2026-11-14' },
    { url: 'https://developers.google.com/my-business/content/limits', on: '2026-11-19' },
    { url: 'https://support.google.com/business/contact/api_default', on: '2026-11-14' },
    { url: 'https://support.google.com/cloud/answer/15544987', on: '2026-11-18' },
    { url: 'https://support.google.com/cloud/answer/15549945', on: '2026-11-18' },
    { url: 'https://github.com/gitroomhq/postiz-app/issues/1692', on: '2026-11-19' },
  ],
}
