import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import {
  addPasskey,
  codeOf,
  giveCode,
  givePassword,
  passkeyOptions,
  turnOnTotp,
} from "../../helpers/factors";
import { giveCredits } from "../../helpers/ledger";
import { makeLinkToken } from "../../helpers/make-link";
import { goThrough, newPerson, signUpWith, withOauthServer } from "../../helpers/with-oauth-server";

const app = withOauthServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });

const CREATE = "/en/demo/image-generator";
const OVERVIEW = "/en/account";
const AIM = "/en/files?kind=images";

interface Someone {
  email: string;
  /** Gets in by a new browser, and returns the address that the server leads to. */
  getIn(redirectTo: string): Promise<string | null>;
}

const locationOf = (response: Response) => response.headers.get("location");

/** Each makes a person who can get in, by a way of their own. */
const WAYS: Record<string, () => Promise<Someone>> = {
  async password() {
    const { email } = await signUp(app.url);
    return { email, getIn: async (aim) => (await givePassword(app, email, aim)).location };
  },
  async "password and an app's code"() {
    const { email, secret } = await turnOnTotp(app, await signUp(app.url));
    return {
      email,
      getIn: async (aim) =>
        locationOf(await giveCode(await givePassword(app, email, aim), codeOf(secret))),
    };
  },
  async "password and a recovery code"() {
    const { email, recoveryCodes } = await turnOnTotp(app, await signUp(app.url));
    return {
      email,
      getIn: async (aim) =>
        locationOf(await giveCode(await givePassword(app, email, aim), recoveryCodes[0] ?? "")),
    };
  },
  async "mailed link"() {
    const { email } = await signUp(app.url);
    return {
      email,
      async getIn(redirectTo) {
        const token = await makeLinkToken(app, email, "sign_in_link");
        const link = `/en/sign-in-link?${new URLSearchParams({ token, redirectTo })}`;
        return locationOf(await createClient(app.url).post(link, {}));
      },
    };
  },
  async passkey() {
    const person = await signUp(app.url);
    const authenticator = await addPasskey(app, person);
    return {
      email: person.email,
      async getIn(redirectTo) {
        const client = createClient(app.url);
        const response = authenticator.sign(await passkeyOptions(client, "sign_in"));
        return locationOf(await client.post("/en/sign-in/passkey", { response, redirectTo }));
      },
    };
  },
  github: () => byProvider("github"),
  google: () => byProvider("google"),
  async "new password by a mailed link"() {
    const { email } = await signUp(app.url);
    return {
      email,
      async getIn(redirectTo) {
        const token = await makeLinkToken(app, email, "reset_password");
        const client = createClient(app.url);
        const link = `/en/reset-password?${new URLSearchParams({ token, redirectTo })}`;
        const password = "another correct horse";
        const signIn = new URL(locationOf(await client.post(link, { password })) ?? "", app.url);
        expect(signIn.pathname).toBe("/en/sign-in");
        const aim = signIn.searchParams.get("redirectTo") ?? "";
        return locationOf(await client.post("/en/sign-in", { email, password, redirectTo: aim }));
      },
    };
  },
  async "session that is still there"() {
    const person = await signUp(app.url);
    return {
      email: person.email,
      getIn: async (redirectTo) =>
        locationOf(await person.fetch(`/en/sign-in?${new URLSearchParams({ redirectTo })}`)),
    };
  },
};

async function byProvider(provider: "github" | "google"): Promise<Someone> {
  const { person } = await signUpWith(app.url, provider, newPerson());
  return {
    email: person.email,
    getIn: (redirectTo) => goThrough(createClient(app.url), provider, person, { redirectTo }),
  };
}

const GOALS = [
  { case: "with an aim", aim: AIM, balance: CREDITS_PER_IMAGE, to: AIM },
  { case: "with credits", aim: "", balance: CREDITS_PER_IMAGE, to: CREATE },
  { case: "without credits for an image", aim: "", balance: 0, to: OVERVIEW },
  { case: "with an aim that isn't ours", aim: "//evil.example/x", balance: 0, to: OVERVIEW },
];

for (const [way, makePerson] of Object.entries(WAYS))
  test.each(GOALS)(`${way}: $case, the person gets to $to`, async ({ aim, balance, to }) => {
    const someone = await makePerson();
    if (balance > 0) await giveCredits(app, someone.email, balance);
    expect(await someone.getIn(aim)).toBe(to);
  });

test("a new account gets to its aim, and else to its overview", async () => {
  const arrival = async (redirectTo: string) => {
    const email = `new-${redirectTo.length}-${process.pid}@example.com`;
    const fields = { email, password: PASSWORD, redirectTo };
    return locationOf(await createClient(app.url).post("/en/sign-up", fields));
  };
  expect(await arrival(AIM)).toBe(AIM);
  expect(await arrival("")).toBe(OVERVIEW);
});
