"""The CloudFormation template of a service's tables."""
