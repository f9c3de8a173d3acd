import packageJson from "../../../package.json";

/** How this product names itself to services that want a name, such as GitHub. */
export const USER_AGENT = packageJson.name;
