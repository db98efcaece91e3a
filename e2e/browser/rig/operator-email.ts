/** The stack of the browser tests has this operator. The account is created by the first test that needs it. */
export const operatorEmail = 'operator@example.com'
